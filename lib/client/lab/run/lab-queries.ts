/** The queries and acts of the lab's pages. */
import { queryOptions } from '@tanstack/react-query'
import type { LabAct, NewLabRun } from '../../../contract/lab/run.ts'
import { call } from '../../call/call.ts'

export const labKeys = { runs: ['lab-runs'] as const }

export const runsRhythmMs = 2000

export const runsQuery = queryOptions({
  queryKey: labKeys.runs,
  queryFn: async ({ signal }) => (await call('listLabRuns', { signal })).data,
  refetchInterval: runsRhythmMs,
})

export const startRun = async (body: NewLabRun) => (await call('startLabRun', { body })).data
export const actInRun = (run: string, body: LabAct) => call('actInLab', { params: { run }, body })
export const endRun = (run: string) => call('endLabRun', { params: { run } })
