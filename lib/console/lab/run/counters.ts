/**
 * The two counters of a run. Every candidate that believes to lead adds one to each, by turns of a read and two writes: to the one
 * through the fence, to the other without.
 *
 * A leader claims the fenced counter before its first read: a write of an earlier token that arrives after the read is then refused,
 * and no addition is lost. The unfenced one is read and written plainly: a write that comes late takes others’ additions away.
 */
import { type ExecutedRows, type Executor, FencedTable, type Statement } from 'leasehold/cassandra'
import type { Clock, Timer } from 'leasehold/time'
import type { Entry } from '../../../contract/lab/journal.ts'
import { type LabStatements, labStatements } from '../journal/lab-statements.ts'

export type CounterName = Entry<'wrote'>['counter']
type Totals = Entry<'wrote'>['total']
const tableName = 'lab_counters'

/** What is known of both counters of a run, from Cassandra’s answers to all candidates. */
export class Counters {
  readonly run: string
  readonly statements: LabStatements
  readonly #keyspace: string
  #fenced = 0
  #unfenced = 0
  #meant = 0
  /** For each unfenced write, by its parameters: the value that stood there by the answers before. */
  readonly #stood = new WeakMap<unknown[], number>()

  constructor(session: Pick<Executor, 'keyspace' | 'serial'>, run: string) {
    this.run = run
    this.#keyspace = session.keyspace
    this.statements = labStatements(session.keyspace, session.serial)
  }

  /** `meant`: additions whose fenced write Cassandra has applied, whether or not the candidate knows. */
  get totals(): Totals {
    return { fenced: this.#fenced, unfenced: this.#unfenced, meant: this.#meant }
  }

  /** Looks at the answers to the statements below. */
  answered(statement: Statement, params: unknown[], { rows }: ExecutedRows): void {
    if (statement.cql === this.statements.writeUnfenced.cql) {
      this.#stood.set(params, this.#unfenced)
      this.#unfenced = Number(params[1])
    } else if (statement.cql === this.statements.readCounters.cql) {
      for (const { counter, value } of rows)
        if (typeof value === 'number' && counter === 'fenced') this.#fenced = Math.max(this.#fenced, value)
    } else if (statement.operation === 'fenced-write' && isAddition(statement) && isApplied(rows)) {
      this.#meant++
      // It only grows: a smaller one is of an answer that came late.
      this.#fenced = Math.max(this.#fenced, Number(params[0]))
    }
  }

  fencedTable(executor: Executor, clock: Clock, timer: Timer): FencedTable {
    const keyspace = this.#keyspace
    const key = ['run', 'counter']
    return new FencedTable(executor, { keyspace, table: tableName, key, fence: 'fence', clock, timer })
  }

  /** Both counters as they are; a missing one is 0. */
  async read(executor: Executor): Promise<Record<CounterName, number>> {
    const { rows } = await executor.execute(this.statements.readCounters, [this.run])
    const of = (name: CounterName) => {
      const value = rows.find(({ counter }) => counter === name)?.value
      return typeof value === 'number' ? value : 0
    }
    return { fenced: of('fenced'), unfenced: of('unfenced') }
  }

  /** @returns false: another value than `value - 1` stood there by then, and its additions are lost */
  async writeUnfenced(executor: Executor, value: number): Promise<boolean> {
    const params = [this.statements.ttlSeconds, value, this.run]
    await executor.execute(this.statements.writeUnfenced, params)
    return (this.#stood.get(params) ?? value - 1) === value - 1
  }
}

const isAddition = ({ cql }: Statement): boolean => /SET "value" = \?/.test(cql)
const isApplied = (rows: ExecutedRows['rows']): boolean => rows[0]?.['[applied]'] === true
