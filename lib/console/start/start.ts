import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { CassandraLeaseStore, CassandraSequenceStore, CassandraTermStore, connect } from 'leasehold/cassandra'
import { StoredTerms } from 'leasehold/election'
import { systemClock, systemTimer } from 'leasehold/time'
import { AnchorFile } from '../audit/anchors/anchor-file.ts'
import { auditKey } from '../audit/anchors/audit-key.ts'
import { checkKey, keepKeyCheck } from '../audit/anchors/key-check.ts'
import { VersionsFile } from '../audit/anchors/versions-file.ts'
import { CassandraAuditStore } from '../audit/chain/audit-store.ts'
import { endOfMain } from '../audit/chain/end/tail.ts'
import { Recovery } from '../audit/recovery/recovery.ts'
import { ActLimit } from '../audit/refusals/act-limit.ts'
import { auditRefusal } from '../audit/refusals/refusal.ts'
import { StoredAuditLog } from '../audit/stored-audit-log.ts'
import { Idempotency } from '../http/idempotency/idempotency.ts'
import { ListSlots } from '../http/limits/list-slots.ts'
import { OpenRequests, streams } from '../http/limits/open-requests.ts'
import { PageLimits } from '../http/limits/page-limits.ts'
import { RequestLimits } from '../http/limits/request-limits.ts'
import { log, withoutSearch } from '../http/log/log.ts'
import { Lab } from '../lab/lab.ts'
import { verdictOf } from '../lab/verdict/verdict.ts'
import { Holders } from '../leases/holders.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { Probe } from '../leases/probe.ts'
import { ConsoleMetrics } from '../metrics/console-metrics.ts'
import { scraperOf } from '../metrics/metrics-handler.ts'
import { WatchedLeases } from '../metrics/watched-leases.ts'
import { lookAtUsers } from '../people/note-users.ts'
import { peopleFollowUps } from '../people/people-follow-up.ts'
import { peopleStatements } from '../people/people-statements.ts'
import { Sessions } from '../people/sessions/sessions.ts'
import { Attempts } from '../people/sign-in/attempts.ts'
import { Devices } from '../people/sign-in/devices.ts'
import { firstSignInLine, prepareFirstUser } from '../people/sign-in/first-user.ts'
import { SetupLink } from '../people/sign-in/setup-link.ts'
import { createSso } from '../people/sso/sso.ts'
import { Users } from '../people/users.ts'
import { lockFollowUps } from '../programs/lock-follow-up.ts'
import { ApiTokens } from '../programs/tokens/api-tokens.ts'
import { tokenFollowUps } from '../programs/tokens/token-follow-up.ts'
import { tokenStatements } from '../programs/tokens/token-statements.ts'
import {
  approvalFollowUp,
  rejectionFollowUp,
  releaseFollowUp,
  requestFollowUp,
} from '../releases/acts/follow-up.ts'
import { ReleaseStore } from '../releases/release-store.ts'
import { Releases } from '../releases/releases.ts'
import { CassandraAnswerStore } from '../store/answers/answer-store.ts'
import { RowSeal } from '../store/row-seal.ts'
import { RowVersions } from '../store/row-versions.ts'
import { migrate } from '../store/schema/migrate.ts'
import { auditKeyMigration, sealingMigration } from '../store/schema/schema.ts'
import { SealedRows } from '../store/sealed-rows.ts'
import { signingKey } from '../store/secret.ts'
import { type Config, readConfig } from './config/config.ts'
import { configWarnings } from './config/config-warnings.ts'
import { startFailure } from './config/start-failure.ts'
import type { ConsoleContext } from './context.ts'
import { type RoomServices, routesOf } from './handlers.ts'
import { historyOf } from './history.ts'
import { checkTable, leasesOf, leaseTables, ownTtlSeconds } from './lease-tables.ts'
import { reportRow } from './row-report.ts'
import { withSchemaSession } from './schema/schema-session.ts'
import { sealStored } from './schema/seal-rows.ts'
import { slowStart } from './slow-start.ts'
import { startOnce } from './started.ts'
import { demonstrate } from './terminal/demo.ts'

/** Connects, migrates, and makes everything that handlers need. */
export async function createConsole(config: Config): Promise<ConsoleContext> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const clock = systemClock
  const beganMs = clock.now().monotonicMs
  const nowMs = () => clock.now().wallMs
  const metrics = new ConsoleMetrics()
  const { telemetry } = metrics
  const versions = new RowVersions(nowMs)
  const key = auditKey(config.dataDir, config.auditKey)
  const seal = new RowSeal(key.bytes)
  const askAgain = slowStart({ clock, timer: systemTimer, log })
  await withSchemaSession(config, askAgain, (schema) =>
    migrate({
      afterwards: {
        [sealingMigration]: () => sealStored(schema, seal),
        [auditKeyMigration]: async () => keepKeyCheck(schema, key, await endOfMain(schema, key)),
      },
      session: schema,
      leases: leasesOf(new CassandraLeaseStore(schema), config, ownTtlSeconds, { telemetry }),
      replication: config.cassandra.replication,
      clock,
      timer: systemTimer,
      beganMs,
      log,
    }),
  )
  const session = await askAgain(() => connect({ ...config.cassandra, telemetry }))
  for (const warning of configWarnings(config)) log.warn(warning)
  if (session.serialAdvice !== null) log.warn({ serial: session.serial }, session.serialAdvice)
  const closing = new AbortController()
  // Every request that waits, and every stream, listens to it.
  setMaxListeners(0, closing.signal)
  const { tables, own, ownTable, watch, doctor } = leaseTables(config, session, {
    clock,
    timer: systemTimer,
    log,
    telemetry,
    closing: closing.signal,
  })
  for (const { id, leases } of tables.values()) await askAgain(() => checkTable(id, leases))
  await doctor.begin()
  const statements = peopleStatements(session.keyspace, session.serial)
  const openRequests = new OpenRequests(systemTimer, log)
  const openStreams = new OpenRequests(systemTimer, log, streams)
  const changed = (username: string) => {
    openRequests.changed(username)
    openStreams.changed(username)
  }
  const signatures = signingKey(config)
  const audit = new StoredAuditLog({
    store: new CassandraAuditStore(session),
    keyspace: session.keyspace,
    key,
    anchors: new AnchorFile(config.dataDir, systemTimer),
    since: await askAgain(() => checkKey(session, key)),
    versions,
    kept: new VersionsFile(config.dataDir, session.keyspace, key),
    meter: metrics.audit,
    clock,
    timer: systemTimer,
    log,
  })
  metrics.audit.observe(audit)
  // Before anything is served: an older row is refused from the first request on. Until the log was followed, no row counts.
  await audit.begin()
  const rows = new SealedRows({ seal, versions, nowMs, report: reportRow(log, audit) })
  const users = new Users({ session, statements, rows, clock, onChange: changed })
  await lookAtUsers({ users, versions, audit, log })
  const sessions = new Sessions({ session, statements, users, rows, log, onEnd: changed })
  const ofTokens = tokenStatements(session.keyspace, session.serial)
  const apiTokens = new ApiTokens({ session, statements: ofTokens, rows, log, onRevoke: changed })
  const { days } = config.history
  const { finished, ...ofHistory } = historyOf({ session, tables, own, watch, clock, log, days })
  const releaseStore = new ReleaseStore({ session, rows, finished })
  const releases = new Releases({ store: releaseStore, audit, clock, log })
  const actLimit = new ActLimit({ audit, clock, timer: systemTimer, log })
  const holders = new Holders({ clock, timer: systemTimer, log }, closing.signal)
  metrics.observeWaits({ openRequests, holders })
  metrics.observeWatch(watch)
  const services: RoomServices = {
    config,
    paxosVariant: session.paxosVariant,
    session,
    tables,
    clock,
    log,
    requestLog: withoutSearch(log),
    audit,
    actLimit,
    users,
    rows,
    versions,
    sessions,
    apiTokens,
    openRequests,
    openStreams,
    watch,
    ...ofHistory,
    idempotency: new Idempotency(new CassandraAnswerStore(session), log),
    requestLimits: new RequestLimits(log),
    listSlots: new ListSlots(systemTimer),
    pageLimits: new PageLimits(log),
    attempts: new Attempts(clock),
    devices: new Devices(signatures, config.publicUrl, nowMs),
    sso: createSso(config, clock),
    setupLink: new SetupLink(signatures, config.publicUrl, nowMs),
    releases,
    recovery: new Recovery({
      audit,
      leases: own,
      clock,
      log,
      telemetry,
      followUps: {
        ...peopleFollowUps({ users, sessions }),
        ...tokenFollowUps({ apiTokens }),
        ...lockFollowUps({ tables, clock, log }),
        release: releaseFollowUp({ releases, tables, clock, log }),
        'release-request': requestFollowUp({ releases }),
        approval: approvalFollowUp({ releases }),
        rejection: rejectionFollowUp({ releases }),
      },
    }),
    probe: new Probe(own, clock),
    doctor,
    holders,
    lab: new Lab({
      session,
      own,
      ...ownTable,
      clock,
      log,
      closing: closing.signal,
      timer: systemTimer,
      isEnabled: config.lab,
      maxClockSkewMs: config.maxClockSkewMs,
      verdictOf,
    }),
    metrics,
    meter: metrics.requests,
    scraper: scraperOf(config.metrics.token),
    sequences: new CassandraSequenceStore(session),
    terms: new StoredTerms({ store: new CassandraTermStore(session), telemetry }),
    closing: closing.signal,
    close: () => {
      closing.abort()
      actLimit.tell()
      for (const { leases } of tables.values()) void leases.close()
    },
    noteRefusal: (access, requestId, problem) => auditRefusal(audit, access, requestId, problem),
  }
  return { ...services, ...routesOf(services) }
}

/**
 * Starts the console in this process, unless it was started: by the server, or by Next's instrumentation. On any failure
 * says why in one sentence and ends the process. The caller ends the console.
 */
export const startConsole = (): Promise<ConsoleContext> => startOnce(start)

/** Likewise where Next is the server, and ends the process at a signal, when the last answer is sent. */
export const startConsoleUnderNext = (): Promise<ConsoleContext> =>
  startOnce(async () => {
    const context = await start()
    // Requests that wait would keep the process alive for a minute.
    const end = () => {
      context.close()
      // Entries that are not written before the process ends are found at the next start.
      void context.audit.close()
    }
    process.once('SIGTERM', end)
    process.once('SIGINT', end)
    return context
  })

/** The leases of LEASEHOLD_METRICS_LEASES, until the process is about to end. */
function watchLeases({ metrics, config, tables, clock, log, closing }: ConsoleContext): Promise<void> {
  const names = config.metrics.leases.map(({ table, name }) => ({
    table: tables.get(table) as LeaseTable,
    name,
  }))
  return new WatchedLeases(metrics.registry, names, { clock, timer: systemTimer, log }).watch(closing)
}

async function start(): Promise<ConsoleContext> {
  try {
    const context = await createConsole(readConfig(process.env))
    void context.recovery.watch(context.closing)
    void context.audit.watch(context.closing)
    context.watch.begin()
    void context.doctor.watch(context.closing)
    if (context.config.history.days > 0) void context.recorder.run(context.closing)
    void watchLeases(context)
    void context.lab.clean()
    const firstSignIn = await slowStart({ ...context, timer: systemTimer })(() => prepareFirstUser(context))
    if (firstSignIn !== null) console.log(firstSignInLine(firstSignIn))
    if (context.config.demo && context.config.lab) await demonstrate(context)
    return context
  } catch (thrown) {
    console.error(`Leasehold cannot start: ${startFailure(thrown, process.env)}`)
    process.exit(1)
  }
}
