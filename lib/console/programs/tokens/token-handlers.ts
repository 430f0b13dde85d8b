import type { Routes } from '../../../contract/routes.ts'
import { authorityOf } from '../../audit/authority.ts'
import type { Handler } from '../../http/handler.ts'
import { iso } from '../../http/instant.ts'
import { createToken as create, revokeToken, type TokenServices } from './token-acts.ts'

export const listTokens: Handler<Routes['listTokens'], TokenServices> = async (
  _input,
  { apiTokens, clock },
) => ({
  status: 200,
  body: { tokens: await apiTokens.list(), now: iso(clock.now().wallMs) },
})

export const createToken: Handler<Routes['createToken'], TokenServices> = async (input, services) => ({
  status: 201,
  body: await create(services, authorityOf(input, services.clock), input.body),
})

export const deleteToken: Handler<Routes['deleteToken'], TokenServices> = async (input, services) => {
  await revokeToken(services, authorityOf(input, services.clock), input.params.id)
  return { status: 204 }
}
