import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/router.ts'
import { authorityOf } from './authority.ts'
import { changeUser as change, createUser as create, setPassword as set } from './user-acts.ts'
import { userJson } from './user-row.ts'

export const listUsers: Handler<Routes['listUsers']> = async (_input, { users }) => ({
  status: 200,
  body: { users: (await users.list()).map(userJson) },
})

export const createUser: Handler<Routes['createUser']> = async (input, context) => ({
  status: 201,
  body: await create(context, authorityOf(input), input.body),
})

export const changeUser: Handler<Routes['changeUser']> = async (input, context) => ({
  status: 200,
  body: await change(context, authorityOf(input), input.params.username, input.body),
})

export const setPassword: Handler<Routes['setPassword']> = async (input, context) => {
  await set(context, authorityOf(input), input.params.username, input.body.password)
  return { status: 204 }
}
