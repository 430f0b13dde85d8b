import { createHash, timingSafeEqual } from 'node:crypto'
import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import type { ConsoleMetrics } from './console-metrics.ts'

export const getMetrics: Handler<
  Routes['getMetrics'],
  { metrics: Pick<ConsoleMetrics, 'registry' | 'text'> }
> = async (_input, { metrics }) => ({
  status: 200,
  json: await metrics.text(),
  headers: { 'Content-Type': metrics.registry.contentType },
})

/** Knows the token of LEASEHOLD_METRICS_TOKEN, and asks Cassandra nothing. */
export function scraperOf(token: string | undefined): { is(bearer: string): boolean } {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = token === undefined ? null : digest(token)
  return { is: (bearer) => expected !== null && timingSafeEqual(digest(bearer), expected) }
}
