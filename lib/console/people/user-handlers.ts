import type { Routes } from '../../contract/routes.ts'
import { authorityOf } from '../audit/authority.ts'
import type { Handler } from '../http/handler.ts'
import type { UserServices } from './people-services.ts'
import { samePersonsOf } from './sso/same-person.ts'
import { changeUser as change, createUser as create, setPassword as set } from './user-acts.ts'
import { userJson } from './user-row.ts'

export const listUsers: Handler<Routes['listUsers'], UserServices> = async (_input, { users }) => {
  const all = await users.list()
  const same = samePersonsOf(all)
  const body = all.map((user) => {
    const accounts = same.get(user.username)
    return accounts === undefined ? userJson(user) : { ...userJson(user), samePerson: [...accounts] }
  })
  return { status: 200, body: { users: body } }
}

export const createUser: Handler<Routes['createUser'], UserServices> = async (input, services) => ({
  status: 201,
  body: await create(services, authorityOf(input, services.clock), input.body),
})

export const changeUser: Handler<Routes['changeUser'], UserServices> = async (input, services) => ({
  status: 200,
  body: await change(services, authorityOf(input, services.clock), input.params.username, input.body),
})

export const setPassword: Handler<Routes['setPassword'], UserServices> = async (input, services) => {
  await set(services, authorityOf(input, services.clock), input.params.username, input.body.password)
  return { status: 204 }
}
