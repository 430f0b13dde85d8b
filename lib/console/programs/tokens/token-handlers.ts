import type { ApiToken } from '../../../contract/programs/token.ts'
import type { Routes } from '../../../contract/routes.ts'
import { authorityOf } from '../../audit/authority.ts'
import type { Handler, Reply } from '../../http/handler.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import { iso } from '../../http/instant.ts'
import { createToken as create, revokeToken, type TokenServices } from './token-acts.ts'

export const listTokens: Handler<Routes['listTokens'], TokenServices> = async (
  _input,
  { apiTokens, clock },
) => ({
  status: 200,
  body: { tokens: await apiTokens.list(), now: iso(clock.now().wallMs) },
})

export const createToken: Handler<Routes['createToken'], TokenServices> = async (input, services) => {
  const { token, ...rest } = await create(services, authorityOf(input, services.clock), input.body)
  return { status: 201, body: { ...rest, token }, kept: rest }
}

/**
 * The same request again, under its Idempotency-Key: a browser sends a request again by itself when its connection breaks
 * before the answer. The secret is stored nowhere, so that it cannot be answered again.
 */
export const createTokenAgain = async ({ body }: Reply): Promise<Reply> => {
  const { id, name } = body as ApiToken
  throw new HttpProblem(
    'outcome-unknown',
    `An earlier try of this request made the token ${name} (${id}), and its answer with the secret was lost. Revoke that token, and make another.`,
  )
}

export const deleteToken: Handler<Routes['deleteToken'], TokenServices> = async (input, services) => {
  await revokeToken(services, authorityOf(input, services.clock), input.params.id)
  return { status: 204 }
}
