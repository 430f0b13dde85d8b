/** The selection of the audit page, from its URL. */
import { clockText, dateText, type Zone } from '../../../lib/client/time/time-text.ts'
import {
  type AuditAct,
  type AuditChain,
  auditActSchema,
  auditChainSchema,
} from '../../../lib/contract/audit.ts'

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

/** Ignores parameters that are no filters: a URL that was written by hand must not end in an error. */
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

/** Filters of the URL that cannot be read, as they stand there: `from=yesterday`. They select nothing. */
export function unreadFilters(params: Pick<URLSearchParams, 'get'>): string[] {
  const read = filterOf(params)
  return (['act', 'from', 'to', 'chain'] as const)
    .filter((name) => text(params.get(name)) !== undefined && read[name] !== params.get(name))
    .map((name) => `${name}=${params.get(name)}`)
}

/** The filters themselves, without the place in the list. `chain` says where to look, not what for. */
export const filterNames = ['act', 'username', 'name', 'outcome', 'from', 'to'] as const

export const filterCount = (filter: AuditFilter): number =>
  filterNames.filter((name) => filter[name] !== undefined).length

/**
 * What to ask the server for. A plan that was only looked at is no act: the plans stand in the entries of their
 * releases, and by themselves where the URL asks for them.
 */
export const askedFor = (filter: AuditFilter): AuditFilter & { without: AuditAct | undefined } => ({
  ...filter,
  without: filter.act === undefined ? 'release-plan' : undefined,
})

/** The log, filtered; undefined filters are left out. */
export function auditPath(filter: Partial<AuditFilter>): string {
  const pairs = Object.entries(filter).filter(
    ([key, value]) => value !== undefined && !(key === 'chain' && value === 'main'),
  )
  return pairs.length === 0 ? '/audit' : `/audit?${new URLSearchParams(pairs as [string, string][])}`
}

/** An instant as it is typed, in the reader's zone: `2026-11-21 14:00`, with seconds where there are some. */
export function fieldOfInstant(iso: string | undefined, zone: Zone): string {
  if (iso === undefined) return ''
  const atMs = Date.parse(iso)
  const digits = atMs % 1000 === 0 ? 0 : 3
  return `${dateText(atMs, zone)} ${clockText(atMs, zone, digits).replace(/:00$/, '')}`
}

/** The instant that was typed, a date alone being its midnight; undefined: none, or half of one. */
export function instantOfField(field: string, zone: Zone): string | undefined {
  const [, date, clock] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/.exec(field.trim()) ?? []
  if (date === undefined) return undefined
  const time = new Date(`${date}T${clock ?? '00:00'}${zone === 'utc' ? 'Z' : ''}`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
