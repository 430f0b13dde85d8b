import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/router.ts'
import { tableOf, writableTableOf } from '../leases/tables.ts'
import { keepTicket, removeTicket } from './queueing.ts'

export const getQueue: Handler<Routes['getQueue']> = async ({ params: { name }, query }, context) => {
  const { from, limit } = query
  const tickets = await tableOf(context, query.table).tickets.first(name, BigInt(from), limit)
  return {
    status: 200,
    body: { tickets: tickets.map(({ number, owner }) => ({ number: number.toString(), owner })) },
  }
}

export const putTicket: Handler<Routes['putTicket']> = async (
  { params: { name, owner }, query, body, session },
  context,
) => {
  const table = writableTableOf(context, query.table)
  const { ttlSeconds } = body
  const ticket = { name, number: BigInt(body.number), owner }
  await keepTicket(context, session, table, ticket, { ttlSeconds, atMicros: BigInt(body.at) })
  return { status: 204 }
}

export const deleteTicket: Handler<Routes['deleteTicket']> = async (
  { params: { name, owner }, query, session },
  context,
) => {
  const table = writableTableOf(context, query.table)
  await removeTicket(context, session, table, { name, number: BigInt(query.number), owner }, BigInt(query.at))
  return { status: 204 }
}
