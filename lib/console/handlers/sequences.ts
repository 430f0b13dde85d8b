import type { Routes } from '../../contract/routes.ts'
import { takeNumbers } from '../numbering.ts'
import type { Handler } from '../router.ts'

export const nextNumbers: Handler<Routes['nextNumbers']> = async (
  { params: { name }, query: { count }, session },
  context,
) => ({ status: 200, body: await takeNumbers(context, session, name, count) })
