import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { type SequenceServices, takeNumbers } from './numbering.ts'

export const nextNumbers: Handler<Routes['nextNumbers'], SequenceServices> = async (
  { params: { name }, query: { count }, session },
  services,
) => ({ status: 200, body: await takeNumbers(services, session, name, count) })
