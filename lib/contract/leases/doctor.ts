import { z } from 'zod'
import { instantSchema } from '../text.ts'

const verdictSchema = z.enum(['ok', 'warn', 'fail', 'unknown'])

const findingSchema = z.object({
  check: z.enum([
    'canary',
    'transactional-mode',
    'columns',
    'plain-writes',
    'replication',
    'serial-level',
    'paxos-variant',
    'clocks',
    'versions',
    'default-ttl',
    'gc-grace',
    'compaction',
  ]),
  /** The id of the configured table that it is about. null: the cluster. */
  table: z.string().nullable(),
  /** `unknown`: the console could not find out. */
  verdict: verdictSchema,
  /** What is, with its numbers. */
  found: z.string(),
  /** null: nothing. */
  whatToDo: z.string().nullable(),
  /** When it was found. Of a canary: when the last one, whole or short, came to its end. */
  at: instantSchema,
})

export const doctorReportSchema = z.object({
  /** The worst of the findings: fail, warn, unknown, ok. */
  verdict: verdictSchema,
  /** The worst come first. */
  findings: z.array(findingSchema),
  now: instantSchema,
})

export type Verdict = z.infer<typeof verdictSchema>
export type CheckName = ShownFinding['check']
export type ShownFinding = z.infer<typeof findingSchema>
export type DoctorReport = z.infer<typeof doctorReportSchema>
