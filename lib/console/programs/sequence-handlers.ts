import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/router.ts'
import { takeNumbers } from './numbering.ts'

export const nextNumbers: Handler<Routes['nextNumbers']> = async (
  { params: { name }, query: { count }, session },
  context,
) => ({ status: 200, body: await takeNumbers(context, session, name, count) })
