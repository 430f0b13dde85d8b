import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { tableOf, writableTableOf } from '../leases/tables.ts'
import type { QueueServices } from './lock-services.ts'
import { keepTicket, removeTicket } from './queueing.ts'

export const getQueue: Handler<Routes['getQueue'], QueueServices> = async (
  { params: { name }, query },
  services,
) => {
  const { from, limit } = query
  const tickets = await tableOf(services, query.table).tickets.first(name, BigInt(from), limit)
  return {
    status: 200,
    body: { tickets: tickets.map(({ number, owner }) => ({ number: number.toString(), owner })) },
  }
}

export const putTicket: Handler<Routes['putTicket'], QueueServices> = async (
  { params: { name, owner }, query, body, session },
  services,
) => {
  const table = writableTableOf(services, query.table)
  const { ttlSeconds } = body
  const ticket = { name, number: BigInt(body.number), owner }
  await keepTicket(services, session, table, ticket, { ttlSeconds, atMicros: BigInt(body.at) })
  return { status: 204 }
}

export const deleteTicket: Handler<Routes['deleteTicket'], QueueServices> = async (
  { params: { name, owner }, query, session },
  services,
) => {
  const table = writableTableOf(services, query.table)
  await removeTicket(
    services,
    session,
    table,
    { name, number: BigInt(query.number), owner },
    BigInt(query.at),
  )
  return { status: 204 }
}
