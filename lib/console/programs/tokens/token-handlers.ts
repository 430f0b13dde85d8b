import type { Routes } from '../../../contract/routes.ts'
import type { Handler } from '../../http/router.ts'
import { iso } from '../../leases/lease-json.ts'
import { authorityOf } from '../../people/authority.ts'
import { createToken as create, revokeToken } from './token-acts.ts'

export const listTokens: Handler<Routes['listTokens']> = async (_input, { apiTokens, clock }) => ({
  status: 200,
  body: { tokens: await apiTokens.list(), now: iso(clock.now().wallMs) },
})

export const createToken: Handler<Routes['createToken']> = async (input, context) => ({
  status: 201,
  body: await create(context, authorityOf(input), input.body),
})

export const deleteToken: Handler<Routes['deleteToken']> = async (input, context) => {
  await revokeToken(context, authorityOf(input), input.params.id)
  return { status: 204 }
}
