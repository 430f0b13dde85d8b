/** What the audit page shows, as its URL says. */
import type { Zone } from '../../lib/client/time-text.ts'
import { type AuditAct, type AuditChain, auditActSchema, auditChainSchema } from '../../lib/contract/audit.ts'

export interface AuditFilter {
  act: AuditAct | undefined
  username: string | undefined
  name: string | undefined
  table: string | undefined
  outcome: string | undefined
  from: string | undefined
  to: string | undefined
  chain: AuditChain
  cursor: string | undefined
}

const text = (value: string | null): string | undefined =>
  value === null || value === '' ? undefined : value

/** An instant as the API takes it; anything else is none. */
const instant = (value: string | null): string | undefined =>
  value !== null && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** What of a URL is no filter is left out: a URL that was written by hand must not end in an error. */
export function filterOf(params: Pick<URLSearchParams, 'get'>): AuditFilter {
  return {
    act: auditActSchema.safeParse(params.get('act')).data,
    username: text(params.get('username')),
    name: text(params.get('name')),
    table: text(params.get('table')),
    outcome: text(params.get('outcome')),
    from: instant(params.get('from')),
    to: instant(params.get('to')),
    chain: auditChainSchema.safeParse(params.get('chain')).data ?? 'main',
    cursor: text(params.get('cursor')),
  }
}

/** The filters themselves, without the place in the list. `chain` says where to look, not what for. */
export const filterNames = ['act', 'username', 'name', 'outcome', 'from', 'to'] as const

export const filterCount = (filter: AuditFilter): number =>
  filterNames.filter((name) => filter[name] !== undefined).length

/** The log, filtered; without what is undefined. */
export function auditPath(filter: Partial<AuditFilter>): string {
  const pairs = Object.entries(filter).filter(
    ([key, value]) => value !== undefined && !(key === 'chain' && value === 'main'),
  )
  return pairs.length === 0 ? '/audit' : `/audit?${new URLSearchParams(pairs as [string, string][])}`
}

const two = (n: number) => String(n).padStart(2, '0')

/** An instant as a `datetime-local` field has it, in the reader's zone, to the minute or the second. */
export function fieldOfInstant(iso: string | undefined, zone: Zone): string {
  if (iso === undefined) return ''
  const time = new Date(iso)
  const [date, clock] =
    zone === 'utc'
      ? [iso.slice(0, 10), iso.slice(11, 19)]
      : [
          `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`,
          `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`,
        ]
  return `${date}T${clock.replace(/:00$/, '')}`
}

/** The instant that a `datetime-local` field says; undefined: none, or half of one. */
export function instantOfField(field: string, zone: Zone): string | undefined {
  const time = new Date(zone === 'utc' ? `${field}Z` : field)
  return Number.isNaN(time.getTime()) || !/^\d{4}-/.test(field) ? undefined : time.toISOString()
}
