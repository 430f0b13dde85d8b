/** `unknown`: this session could not find out. It is no reproach, and no all-clear. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'unknown'

export interface Judgement {
  readonly verdict: Verdict
  /** What is, with its numbers: a sentence. */
  readonly found: string
  /** null: nothing. */
  readonly whatToDo: string | null
}

export const ok = (found: string): Judgement => ({ verdict: 'ok', found, whatToDo: null })
export const warn = (found: string, whatToDo: string): Judgement => ({ verdict: 'warn', found, whatToDo })
export const fail = (found: string, whatToDo: string): Judgement => ({ verdict: 'fail', found, whatToDo })
export const unknown = (found: string, whatToDo: string): Judgement => ({
  verdict: 'unknown',
  found,
  whatToDo,
})

/** In the order in which people read them: what breaks leases first. */
export const checkNames = [
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
] as const

export type CheckName = (typeof checkNames)[number]

export interface Finding extends Judgement {
  readonly check: CheckName
  /** The table that it is about, as the caller calls it; null: the cluster. */
  readonly table: string | null
}

const order: readonly Verdict[] = ['fail', 'warn', 'unknown', 'ok']

/** The worst of them; `ok` when there are none. */
export const worstOf = (findings: readonly Judgement[]): Verdict =>
  order.find((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'ok'

/** The worst first, then in the order of `checkNames`, then by table. */
export const inOrder = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted(
    (a, b) =>
      order.indexOf(a.verdict) - order.indexOf(b.verdict) ||
      checkNames.indexOf(a.check) - checkNames.indexOf(b.check) ||
      (a.table ?? '').localeCompare(b.table ?? ''),
  )
