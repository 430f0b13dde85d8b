/** `leasehold history`: what happened to one lease, newest first, through a server or from Cassandra itself. */
import type { EventGap, HistoryPlace, LeaseEvent, RenewalMinute } from '../../history/index.ts'
import { systemClock } from '../../time/index.ts'
import { type Connection, type ConnectionOptions, connectionOf } from '../connection/connection.ts'
import { closeSoon, connectTo } from '../connection/open.ts'
import { exitCode } from '../process/exit-codes.ts'
import { type Io, say, styled } from '../process/io.ts'
import { printable } from '../process/printable.ts'

export interface HistoryOptions extends ConnectionOptions {
  readonly json?: boolean
  /** Milliseconds. */
  readonly since: number
  readonly limit: number
  readonly renewals?: boolean
}

type Entry = Readonly<Record<string, unknown>> & { readonly type: string; readonly at: string }

const pageMax = 1_000

/** @returns 0: something is known, 1: nothing is, within this time */
export async function history(io: Io, name: string, options: HistoryOptions): Promise<number> {
  const connection = connectionOf(options, io.env)
  const { entries, isMore } =
    connection.kind === 'server'
      ? await fromServer(connection, name, options)
      : await fromCassandra(connection, name, options)
  for (const entry of entries)
    io.stdout.write(`${options.json === true ? JSON.stringify(entry) : lineOf(io, entry)}\n`)
  const newest = entries.find(({ type }) => type === 'transition')
  const { isBeginning } = await import('../../history/index.ts')
  const heldNow = `Whether it is held now: \`leasehold get ${printable(name)}\`.`
  if (newest !== undefined && isBeginning(newest as unknown as LeaseEvent))
    say(io, `No end of the newest tenure was seen. ${heldNow}`)
  if (isMore) say(io, `There are older entries: give a --limit above ${options.limit}.`)
  if (entries.length > 0) return exitCode.done
  say(io, `Nothing of ${JSON.stringify(name)} was recorded in this time. ${heldNow}`)
  return exitCode.notHeld
}

interface Read {
  readonly entries: Entry[]
  readonly isMore: boolean
}

async function fromServer(
  { url, token, table }: Connection & { kind: 'server' },
  name: string,
  { since, limit, renewals }: HistoryOptions,
): Promise<Read> {
  const { LeaseholdServer, leaseHistory } = await import('../../http/index.ts')
  const server = new LeaseholdServer({ url, token })
  const entries: Entry[] = []
  const fromMs = Math.floor(systemClock.now().wallMs - since)
  let cursor: string | undefined
  do {
    const page = await leaseHistory(server, name, {
      fromMs,
      renewals: renewals === true ? 'minute' : 'none',
      table,
      cursor,
      limit: Math.min(pageMax, limit - entries.length),
    })
    const of = (type: string, list: readonly Readonly<Record<string, unknown>>[], at = 'at') =>
      list.map((each) => ({ type, at: String(each[at]), ...each }))
    entries.push(
      ...[
        ...of('transition', page.events),
        ...of('renewals', page.renewals),
        ...of('not-observed', page.notObserved, 'to'),
      ].sort(newestFirst),
    )
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && entries.length < limit)
  return { entries: entries.slice(0, limit), isMore: cursor !== undefined || entries.length > limit }
}

async function fromCassandra(
  connection: Connection & { kind: 'cassandra' },
  name: string,
  { since, limit, renewals }: HistoryOptions,
): Promise<Read> {
  const { CassandraEventStore, defaultMapping } = await import('../../cassandra/index.ts')
  const { readHistory } = await import('../../history/index.ts')
  const session = await connectTo(connection)
  try {
    const store = new CassandraEventStore(session, connection.mapping ?? defaultMapping)
    const toMs = Math.floor(systemClock.now().wallMs) + 1
    const entries: Entry[] = []
    let before: HistoryPlace | undefined
    do {
      const page = await readHistory(store, name, {
        fromMs: toMs - since,
        toMs,
        renewals: renewals === true ? 'minute' : 'none',
        before,
        limit: Math.min(pageMax, limit - entries.length),
      })
      const found = [
        ...page.events.map(transitionOf),
        ...page.renewals.map(renewalsOf),
        ...page.dropped.map(droppedOf),
      ]
      entries.push(...found.sort(newestFirst))
      before = page.next ?? undefined
    } while (before !== undefined && entries.length < limit)
    return { entries: entries.slice(0, limit), isMore: before !== undefined || entries.length > limit }
  } finally {
    await closeSoon(session)
  }
}

const newestFirst = (one: Entry, other: Entry): number => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0)
const iso = (ms: number) => new Date(ms).toISOString()
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms))

/** As the API writes it. */
const transitionOf = (event: LeaseEvent): Entry => ({
  type: 'transition',
  at: iso(event.atMs),
  id: event.id,
  kind: event.kind,
  notBefore: isoOrNull(event.notBeforeMs),
  notAfter: isoOrNull(event.notAfterMs),
  owner: event.owner,
  previousOwner: event.previousOwner,
  token: event.token?.toString() ?? null,
  version: event.version?.toString() ?? null,
  ttlSeconds: event.ttlSeconds,
  source: event.source,
  reason: event.release === null ? event.reason : null,
  release: event.release === null ? null : { ...event.release, reason: event.reason },
})

const droppedOf = ({ fromMs, toMs, what }: EventGap): Entry => ({
  type: 'not-observed',
  at: iso(toMs),
  from: iso(fromMs),
  to: iso(toMs),
  why: 'dropped',
  what,
})

const renewalsOf = ({ atMs, owner, source, count, exact, leastMarginMs }: RenewalMinute): Entry => ({
  type: 'renewals',
  at: iso(atMs),
  owner,
  source,
  count,
  exact: exact?.map(({ atMs: at, marginMs }) => ({ at: iso(at), marginMs })) ?? null,
  leastMarginMs,
})

function lineOf(io: Io, entry: Entry): string {
  const text = (field: string) => (typeof entry[field] === 'string' ? printable(entry[field]) : '')
  const at = styled(io, io.stdout, 'dim', entry.at)
  if (entry.type === 'not-observed')
    return `${at}  ${'not observed'.padEnd(17)}since ${text('from')}: ${text('what')}, ${text('why')}`
  if (entry.type === 'renewals') {
    const margin = typeof entry.leastMarginMs === 'number' ? `, ${entry.leastMarginMs} ms left at least` : ''
    const atLeast = entry.source === 'observed' ? 'at least ' : ''
    return `${at}  ${'renewed'.padEnd(17)}${text('owner')}  ${atLeast}${entry.count} times in this minute${margin}`
  }
  const { by = null, reason = null } = (entry.release ?? {}) as Record<string, unknown>
  const details = [
    text('previousOwner') === '' ? '' : `after ${text('previousOwner')}`,
    text('reason'),
    typeof by === 'string' ? `by ${printable(by)}` : '',
    typeof reason === 'string' && reason !== '' ? `“${printable(reason)}”` : '',
    text('notBefore') === '' ? '' : `not before ${text('notBefore')}`,
    text('source'),
  ]
  const line = details.filter((detail) => detail !== '').join(', ')
  return `${at}  ${text('kind').padEnd(17)}${text('owner')}  (${line})`
}
