/** All queries of the pages: keys, options and intervals, in one place. */
import { keepPreviousData, queryOptions, replaceEqualDeep, type UseQueryResult } from '@tanstack/react-query'
import type { AuditQuery, ShownEntry } from '../../contract/audit.ts'
import type { LeaseHistory } from '../../contract/leases/history.ts'
import type { LeaseDetail } from '../../contract/leases/lease.ts'
import type { Election } from '../../contract/programs/election.ts'
import type { LeaseRelease } from '../../contract/releases/lease-release.ts'
import type { Release } from '../../contract/releases/release.ts'
import type { Sighting } from '../time/countdown.ts'
import { pageNow } from '../time/page-clock.ts'
import { codeOf, isApiError } from './api-error.ts'
import { call, hearServer, serverNow } from './call.ts'
import { pulseMs, pulseTimeoutMs } from './connection.ts'

const listRhythmMs = 2000
const detailRhythmMs = 1000
/** The rows that a page's HTML begins with. */
export const pageSize = 50

/** Which entries of the audit log, and from where on. */
type AuditFilter = Omit<Partial<AuditQuery>, 'limit'>

/** One lease as a read found it, or that it is free. Both are answers; neither is an error. */
export type LeaseReading =
  | { held: true; askedAtMs?: number; sighting: Sighting<LeaseDetail> }
  | {
      held: false
      /** When the page asked, by its clock; left out: a stream brought it. */
      askedAtMs?: number
      readAtMs: number
      now: string | undefined
      /** The first of consecutive reads that found it free; left out: this one. */
      since?: { readAtMs: number; now: string | undefined }
    }

export const keys = {
  session: ['session'] as const,
  cluster: ['cluster'] as const,
  doctor: ['doctor'] as const,
  lease: (name: string, table?: string) => ['lease', table ?? '', name] as const,
  term: (group: string, leader: string | null) => ['term', group, leader] as const,
  history: (name: string, table: string | undefined, rangeMs: number) =>
    ['lease-history', table ?? '', name, rangeMs] as const,
  plan: (name: string, table?: string) => ['release-plan', table ?? '', name] as const,
  reason: (name: string, table?: string) => ['release-reason', table ?? '', name] as const,
  /** The lease as the palette showed it when its release was chosen there. */
  found: (name: string, table?: string) => ['found-lease', table ?? '', name] as const,
  release: (id: string) => ['release', id] as const,
  awaiting: ['releases'] as const,
  allLeaseReleases: ['lease-releases'] as const,
  leaseReleases: (name: string, table: string | undefined, holder: string | null) =>
    ['lease-releases', table ?? '', name, holder] as const,
  resignRequests: (name: string, table?: string) => ['resign-requests', table ?? '', name] as const,
  users: ['users'] as const,
  tokens: ['tokens'] as const,
  act: (query: ActQuery) => ['audit-act', query] as const,
  audit: (filter: AuditFilter) => ['audit', filter] as const,
}

/** One SERIAL read of one lease. */
async function readLease(name: string, table?: string, signal?: AbortSignal): Promise<LeaseReading> {
  const askedAtMs = pageNow()
  try {
    const { data, arrivedAtMs } = await call('getLease', { params: { name }, query: { table }, signal })
    return { held: true, askedAtMs, sighting: { lease: data, now: data.now, arrivedAtMs } }
  } catch (error) {
    if (!isApiError(error) || codeOf(error) !== 'not-held') throw error
    const now = error.problem?.now
    const arrivedAtMs = pageNow()
    // A late answer is older than it looks: the lease may have been acquired since.
    const readAtMs = now === undefined ? arrivedAtMs : hearServer(now, askedAtMs, arrivedAtMs)
    return { held: false, askedAtMs, readAtMs, now }
  }
}

/** Asking again for a table that is not configured changes nothing. */
export const isUnknownTable = (error: unknown): boolean => codeOf(error) === 'unknown-table'

const sessionRhythmMs = 30_000

/** Who is signed in, and until when elevated. Another tab may change it, so that it is asked for again now and then. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: ({ signal }) => call('getSession', { signal }),
  refetchInterval: sessionRhythmMs,
})

export const clusterQuery = queryOptions({
  queryKey: keys.cluster,
  queryFn: ({ signal }) => call('getCluster', { signal, timeoutMs: pulseTimeoutMs }),
  refetchInterval: pulseMs,
})

export const doctorRhythmMs = 30_000
/** Nodes that do not answer are waited for, up to 5 s each, all of them at once. */
const doctorTimeoutMs = 12_000

export const doctorQuery = queryOptions({
  queryKey: keys.doctor,
  queryFn: ({ signal }) => call('getDoctor', { signal, timeoutMs: doctorTimeoutMs }),
  refetchInterval: doctorRhythmMs,
})

/** A free lease is read less and less often: after a tenth of the time for which it has been free, up to this. */
const freeRhythmMaxMs = 15_000

/** How long after a read of one lease the next one comes. */
export function leaseRhythm(reading: LeaseReading | undefined): number {
  if (reading === undefined || reading.held) return detailRhythmMs
  const freeForMs = reading.readAtMs - (reading.since ?? reading).readAtMs
  return Math.min(freeRhythmMaxMs, Math.max(detailRhythmMs, freeForMs / 10))
}

/** Joins a read to the one before it: for a lease that stays free, it keeps the first read. */
export function followed(before: LeaseReading | undefined, after: LeaseReading): LeaseReading {
  if (after.held || before === undefined || before.held) return after
  return { ...after, since: before.since ?? { readAtMs: before.readAtMs, now: before.now } }
}

export const leaseQuery = (name: string, table?: string) =>
  queryOptions({
    queryKey: keys.lease(name, table),
    queryFn: ({ signal }) => readLease(name, table, signal),
    refetchInterval: ({ state }) => (isUnknownTable(state.error) ? false : leaseRhythm(state.data)),
    structuralSharing: (before, after) =>
      replaceEqualDeep(before, followed(before as LeaseReading | undefined, after as LeaseReading)),
  })

/** The same read, once: a page that has a stream of the lease reads it at its beginning, and when a person asks. */
export const leaseDetailQuery = (name: string, table?: string) =>
  queryOptions({
    ...leaseQuery(name, table),
    refetchInterval: false,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A new leader writes its term a moment after it has acquired the group; a lock never has one. */
const termRhythmMs = 2000
const termReads = 3

/** A table without owners has no leaders, however often it is asked for them. */
export const hasNoLeaders = (error: unknown): boolean => codeOf(error) === 'bad-request'

interface TermState {
  data: Pick<Election, 'term'> | undefined
  error: unknown
  /** How many reads have succeeded. */
  dataUpdateCount: number
}

/** In milliseconds; false: it is known. */
export function termRhythm({ data, error, dataUpdateCount }: TermState): number | false {
  if (data === undefined) return hasNoLeaders(error) ? false : termRhythmMs
  return data.term === null && dataUpdateCount < termReads ? termRhythmMs : false
}

/** The election's word on a holder, read when it is a new one. */
export const termQuery = (group: string, leader: string | null) =>
  queryOptions({
    queryKey: keys.term(group, leader),
    queryFn: async ({ signal }) => (await call('getElection', { params: { group }, signal })).data,
    refetchInterval: ({ state }) => termRhythm(state),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** How much of a history is read, and how often. */
export interface HistoryView {
  rangeMs: number
  renewals: 'minute' | 'hour'
  rhythmMs: number
}

const historyPageSize = 1000
/** Of a lease that changes hands all the time, the newest entries alone. */
const historyPages = 6

/** All pages of the time until now, as one. `nextCursor`: more than is drawn happened, and the history begins at its `from`. */
async function readHistory(
  name: string,
  table: string | undefined,
  { rangeMs, renewals }: HistoryView,
  signal: AbortSignal,
): Promise<LeaseHistory> {
  const from = new Date(serverNow(pageNow()) - rangeMs).toISOString()
  let whole: LeaseHistory | undefined
  for (let page = 0; page < historyPages && whole?.nextCursor !== null; page += 1) {
    const query = { table, from, renewals, limit: historyPageSize, cursor: whole?.nextCursor }
    const { data } = await call('getLeaseHistory', { params: { name }, query, signal })
    whole =
      whole === undefined
        ? data
        : {
            ...data,
            to: whole.to,
            events: [...whole.events, ...data.events],
            renewals: [...whole.renewals, ...data.renewals],
            notObserved: [...whole.notObserved, ...data.notObserved],
          }
  }
  return whole as LeaseHistory
}

/** What happened to a lease until now. */
export const leaseHistoryQuery = (name: string, table: string | undefined, view: HistoryView) =>
  queryOptions({
    queryKey: keys.history(name, table, view.rangeMs),
    queryFn: ({ signal }) => readHistory(name, table, view, signal),
    refetchInterval: ({ state }) => (isUnknownTable(state.error) ? false : view.rhythmMs),
  })

const leaseReleasesRhythmMs = 5000

/**
 * What was done to a lease by force, or is waiting or under way. `holder` (null: none) is a part of the key: after a
 * change of the holder it is fetched again at once, and the old answer does not count.
 */
export const leaseReleasesQuery = (name: string, table: string | undefined, holder: string | null) =>
  queryOptions({
    queryKey: keys.leaseReleases(name, table, holder),
    queryFn: async ({ signal }) =>
      (await call('listLeaseReleases', { params: { name }, query: { table }, signal })).data,
    refetchInterval: ({ state }) =>
      isUnknownTable(state.error)
        ? false
        : state.data?.releases.some(isUnderWay)
          ? detailRhythmMs
          : leaseReleasesRhythmMs,
    placeholderData: keepPreviousData,
  })

/** Whether the newest read failed. A query that has no data is no error any more while it is tried again. */
export const hasFailed = ({
  data,
  isError,
  errorUpdateCount,
}: Pick<UseQueryResult, 'data' | 'isError' | 'errorUpdateCount'>): boolean =>
  isError || (data === undefined && errorUpdateCount > 0)

const isUnderWay = ({ outcome }: LeaseRelease): boolean =>
  outcome === 'pending' || outcome === 'awaiting-approval'

const releaseRhythmMs = 500
/** While it waits for a person, not for Cassandra. */
const awaitedRhythmMs = 1000
const awaitingRhythmMs = 5000

/**
 * How long after its expiry a plan may still turn out to have been used, in milliseconds. A request that came in time may act for
 * 30 s (`actAfterPermitMs` in the console's http/act-window.ts), and what it sent last may take effect some seconds later.
 */
const usedLateMs = 60_000

/** Whether the request to carry this plan out may have arrived, or may still arrive. */
export const mayBeUsed = ({ planExpiresAt, now }: Pick<Release, 'planExpiresAt' | 'now'>): boolean =>
  Date.parse(now) < Date.parse(planExpiresAt) + usedLateMs

/** Whether the last read found that the plan was not acted on. A read that failed leaves that open: the request may have arrived since. */
export const isNotActedOn = (release: Pick<Release, 'outcome'> | undefined, error: unknown): boolean =>
  error === null ? release?.outcome === 'planned' : codeOf(error) === 'not-found'

/** In milliseconds; false: it is final. */
export function releaseRhythm(release: Release | undefined): number | false {
  switch (release?.outcome) {
    case undefined:
    case 'pending':
      return releaseRhythmMs
    case 'awaiting-approval':
      return awaitedRhythmMs
    case 'planned':
      return mayBeUsed(release) ? awaitedRhythmMs : false
    default:
      return false
  }
}

/** The outcome of a plan or of a forced release; fetched again until it is final. */
export const releaseQuery = (id: string) =>
  queryOptions({
    queryKey: keys.release(id),
    queryFn: async ({ signal }) => (await call('getRelease', { params: { id }, signal })).data,
    refetchInterval: ({ state }) => (codeOf(state.error) === 'forbidden' ? false : releaseRhythm(state.data)),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The forced releases that wait for a second person. */
export const awaitingQuery = queryOptions({
  queryKey: keys.awaiting,
  queryFn: async ({ signal }) => (await call('listReleases', { signal })).data,
  refetchInterval: awaitingRhythmMs,
})

/** Which holders of a lease were asked to resign. */
export const resignRequestsQuery = (name: string, table?: string) =>
  queryOptions({
    queryKey: keys.resignRequests(name, table),
    queryFn: async ({ signal }) =>
      (await call('getResignRequests', { params: { name }, query: { table }, signal })).data.requests,
    refetchInterval: listRhythmMs,
  })

export const settingsRhythmMs = 5000

export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: ({ signal }) => call('listUsers', { signal }),
  refetchInterval: settingsRhythmMs,
})

export const tokensQuery = queryOptions({
  queryKey: keys.tokens,
  queryFn: ({ signal }) => call('listTokens', { signal }),
  refetchInterval: settingsRhythmMs,
})

/** How many pages of the log are read for one act. */
const actPages = 5

/** The entries of one act to read: `from` and `to` bound the days. */
export interface ActQuery {
  id: string
  chain: AuditQuery['chain']
  from: string
  /** undefined: its outcome may still come. */
  to: string | undefined
}

/** The entries of one act, those too that the page leaves out or has on another page. A release begins with its plan. */
export const actQuery = (query: ActQuery) =>
  queryOptions({
    queryKey: keys.act(query),
    queryFn: async ({ signal }) => {
      const found: ShownEntry[] = []
      let cursor: string | undefined
      for (let page = 0; page < actPages; page += 1) {
        const { data } = await call('listAudit', { query: { ...query, cursor, limit: 50 }, signal })
        found.push(...data.entries)
        cursor = data.nextCursor ?? undefined
        if (cursor === undefined || found.some(({ act }) => act === 'release-plan')) break
      }
      return found
    },
    staleTime: query.to === undefined ? 0 : Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' ? auditRhythmMs : false),
  })

export const auditRhythmMs = 3000
const auditPageSize = 50

/** Entries older than a cursor no longer change: only the first page is fetched again. */
export const auditQuery = (filter: AuditFilter) =>
  queryOptions({
    queryKey: keys.audit(filter),
    queryFn: ({ signal }) => call('listAudit', { query: { ...filter, limit: auditPageSize }, signal }),
    refetchInterval: ({ state }) =>
      filter.cursor !== undefined && state.status === 'success' ? false : auditRhythmMs,
    placeholderData: keepPreviousData,
  })
