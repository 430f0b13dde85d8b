import type { Routes } from '../../contract/routes.ts'
import { HttpProblem } from '../http-problem.ts'
import type { Handler } from '../router.ts'

export const listTokens: Handler<Routes['listTokens']> = async (_input, { apiTokens }) => ({
  status: 200,
  body: { tokens: await apiTokens.list() },
})

export const createToken: Handler<Routes['createToken']> = async (
  { body: { name }, session: { username } },
  { apiTokens, log },
) => {
  const created = await apiTokens.create(name, username)
  log.info({ act: 'token-create', username, token: created.id, name }, 'token created')
  return { status: 201, body: created }
}

export const deleteToken: Handler<Routes['deleteToken']> = async (
  { params: { id }, session: { username } },
  { apiTokens, log },
) => {
  if (!(await apiTokens.revoke(id))) throw new HttpProblem('not-found', `There is no token ${id}.`)
  log.info({ act: 'token-revoke', username, token: id }, 'token revoked')
  return { status: 204 }
}
