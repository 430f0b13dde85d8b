import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import type { ConsoleMetrics } from './console-metrics.ts'

export const getMetrics: Handler<
  Routes['getMetrics'],
  { metrics: Pick<ConsoleMetrics, 'registry'> }
> = async (_input, { metrics: { registry } }) => ({
  status: 200,
  json: await registry.metrics(),
  headers: { 'Content-Type': registry.contentType },
})
