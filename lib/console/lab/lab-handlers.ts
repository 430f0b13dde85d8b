import type { LabRunDetail } from '../../contract/lab/run.ts'
import type { Routes } from '../../contract/routes.ts'
import { authorityOf } from '../audit/authority.ts'
import type { Handler } from '../http/handler.ts'
import { actIn, endRun, listRuns, startRun } from './lab-acts.ts'
import type { LabServices } from './lab-services.ts'

export const listLabRuns: Handler<Routes['listLabRuns'], LabServices> = async (input, services) => ({
  status: 200,
  body: await listRuns(services, authorityOf(input, services.clock)),
})

export const startLabRun: Handler<Routes['startLabRun'], LabServices> = async (input, services) => ({
  status: 201,
  body: await startRun(services, authorityOf(input, services.clock), input.body),
})

export const getLabRun: Handler<Routes['getLabRun'], LabServices> = async (
  { params, query, senderKey },
  { lab },
) => {
  const hub = await lab.open(params.run, senderKey)
  const { source } = hub
  const { from, limit } = query
  const entries = source.entries.slice(from, from + limit)
  const next = from + entries.length
  const body: LabRunDetail = {
    ...source.json(),
    entries,
    nextFrom: next < source.entries.length ? next : null,
    verdict: hub.verdict(),
    nowMs: source.nowMs,
  }
  return { status: 200, body }
}

export const watchLabRun: Handler<Routes['watchLabRun'], LabServices> = async (
  { params, query, senderKey, lastEventId, signal },
  { lab },
) => {
  const hub = await lab.open(params.run, senderKey)
  const after = lastEventId === null ? null : Number(lastEventId)
  const from = after !== null && Number.isSafeInteger(after) && after >= 0 ? after : query.from
  return {
    status: 200,
    // The last is for nginx, which would keep events until it has a page of them.
    headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
    stream: hub.stream(from, senderKey, signal),
  }
}

export const actInLab: Handler<Routes['actInLab'], LabServices> = async (input, services) => {
  await actIn(services, authorityOf(input, services.clock), input.params.run, input.body)
  return { status: 204 }
}

export const endLabRun: Handler<Routes['endLabRun'], LabServices> = async (input, services) => {
  await endRun(services, authorityOf(input, services.clock), input.params.run)
  return { status: 204 }
}
