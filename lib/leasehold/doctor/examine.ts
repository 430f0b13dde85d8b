import {
  type CassandraSession,
  ClusterReader,
  quoteIdentifier,
  type TableFacts,
  type TableMapping,
} from '../cassandra/index.ts'
import { isLeaseholdError } from '../lease/index.ts'
import { type Clock, defaultMaxClockSkewMs } from '../time/index.ts'
import { checkClocks } from './checks/clocks.ts'
import { checkColumns } from './checks/columns.ts'
import { checkPaxosVariant } from './checks/paxos-variant.ts'
import { checkPlainWrites } from './checks/plain-writes.ts'
import { checkReplication } from './checks/replication.ts'
import { checkSerialLevel } from './checks/serial-level.ts'
import {
  checkCompaction,
  checkDefaultTtl,
  checkGcGrace,
  checkTransactionalMode,
} from './checks/table-settings.ts'
import { checkVersions } from './checks/versions.ts'
import { type CheckName, type Finding, inOrder, type Judgement, unknown } from './finding.ts'

export interface ExaminedTable {
  /** What the findings call it. */
  readonly id: string
  readonly mapping: TableMapping
}

export interface ExamineOptions {
  readonly tables: readonly ExaminedTable[]
  readonly maxClockSkewMs?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * Whether the nodes' clocks are close enough: the part of `examine` that changes by itself, for those who look often. Six
 * statements a node.
 * @throws ClosedError
 * @example
 * const { verdict, found } = await examineClocks(session)
 * if (verdict === 'fail') console.error(found)
 */
export async function examineClocks(
  session: CassandraSession,
  { maxClockSkewMs = defaultMaxClockSkewMs, clock }: Omit<ExamineOptions, 'tables'> = {},
): Promise<Judgement> {
  return checkClocks(await new ClusterReader(session, clock).nodes(), maxClockSkewMs)
}

/**
 * Reads what the cluster and the tables are like, and judges it. It writes nothing: the canary does (`canary`). What the
 * cluster does not answer is `unknown`: a busy cluster is examined when its doctor is needed most.
 * @throws InvalidArgumentError on an invalid identifier, ClosedError
 * @example
 * const findings = await examine(session, { tables: [{ id: 'leases', mapping: defaultMapping }] })
 * if (worstOf(findings) === 'fail') console.error(findings.filter(({ verdict }) => verdict === 'fail'))
 */
export async function examine(
  session: CassandraSession,
  { tables, maxClockSkewMs = defaultMaxClockSkewMs, clock }: ExamineOptions,
): Promise<Finding[]> {
  const reader = new ClusterReader(session, clock)
  const nodes = await reader.nodes()
  const findings: Finding[] = []
  const add = (check: CheckName, table: string | null, judgement: Judgement) =>
    findings.push({ check, table, ...judgement })

  add('versions', null, checkVersions(nodes))
  add('paxos-variant', null, checkPaxosVariant(nodes))
  add('clocks', null, checkClocks(nodes, maxClockSkewMs))
  add('serial-level', null, checkSerialLevel(session.serial, session.serialAdvice))
  for (const { id, mapping } of tables) {
    const facts = await factsOf(reader, mapping)
    if (facts === null) {
      add('columns', id, unanswered)
      continue
    }
    add('columns', id, checkColumns(facts, mapping))
    add('replication', id, checkReplication(facts, nodes))
    const { settings } = facts
    if (settings === null) continue
    const name = `${quoteIdentifier('keyspace', facts.keyspace)}.${quoteIdentifier('table', facts.table)}`
    add('transactional-mode', id, checkTransactionalMode(settings, name))
    add('default-ttl', id, checkDefaultTtl(settings, name))
    add('gc-grace', id, checkGcGrace(settings, name))
    add('compaction', id, checkCompaction(settings, name))
    if (mapping.owner !== null) add('plain-writes', id, checkPlainWrites(facts.rows, maxClockSkewMs))
  }
  return inOrder(findings)
}

const unanswered = unknown(
  'Cassandra did not answer in time when the doctor read how the table is defined. Its columns, replication and settings were not checked, nor its rows.',
  'Run the doctor again. If that does not help, check that the nodes are up, and how busy they are.',
)

/** null: the cluster did not answer. @throws InvalidArgumentError, ClosedError */
async function factsOf(reader: ClusterReader, mapping: TableMapping): Promise<TableFacts | null> {
  try {
    return await reader.table(mapping)
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'store-unavailable')) return null
    throw thrown
  }
}
