/** What the events of a run have to look like, by the contract's schemas. Fetched late, as `answers.ts` is. */
import type { z } from 'zod'
import { type LabEventName, labEvents } from '../../../contract/lab/run.ts'

/** One event, as the contract has it. `unknown`: a newer server's, which says nothing to this page. */
export type RunMessage =
  | { [N in LabEventName]: { name: N; data: z.output<(typeof labEvents)[N]> } }[LabEventName]
  | { name: 'unknown' }

/** @throws {Error} where the data is not what the contract says */
export function parseRunEvent(name: string, data: string): RunMessage {
  if (!Object.hasOwn(labEvents, name)) return { name: 'unknown' }
  const known = name as LabEventName
  return { name: known, data: labEvents[known].parse(JSON.parse(data)) } as RunMessage
}
