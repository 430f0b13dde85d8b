/** All CQL of the lab’s own tables, and what removes the rest of a run. */
import { levelsOf, quoteIdentifier, readTimeoutMs, type SerialLevel } from 'leasehold/cassandra'
import { statementsIn } from '../../store/statement-kinds.ts'

export type LabStatements = ReturnType<typeof labStatements>

export function labStatements(keyspace: string, serial: SerialLevel) {
  const { plain, conditional } = statementsIn(keyspace, serial)
  const level = levelsOf(serial)
  const counters = `${quoteIdentifier('keyspace', keyspace)}.lab_counters`
  return {
    /** Of the counters, in seconds: a run has ended by then. */
    ttlSeconds: 3_600,
    // A run’s row is written at its beginning and at its end, with that time as its timestamp; at its end with a later one in any case.
    writeRun: plain('INSERT INTO $k.lab_runs (day, run, facts, ended) VALUES (?, ?, ?, ?) USING TIMESTAMP ?'),
    runsOfDay: plain('SELECT run, facts, ended FROM $k.lab_runs WHERE day = ? AND run > ? LIMIT ?'),
    run: plain('SELECT run, facts, ended FROM $k.lab_runs WHERE day = ? AND run = ?'),
    writeEntries: plain('INSERT INTO $k.lab_journals (run, first, body) VALUES (?, ?, ?)'),
    entriesFrom: plain('SELECT first, body FROM $k.lab_journals WHERE run = ? AND first >= ? LIMIT ?'),
    // At SERIAL, because the fenced counter is written by conditions.
    readCounters: {
      cql: `SELECT counter, value FROM ${counters} WHERE run = ?`,
      operation: 'fenced-counter',
      consistency: level.serial,
      readTimeoutMs,
    },
    // Plain, on purpose: this is what a program does that knows of no fence. lab_counters is no table of leases.
    writeUnfenced: {
      cql: `UPDATE ${counters} USING TTL ? SET value = ? WHERE run = ? AND counter = 'unfenced'`,
      operation: 'unfenced-counter',
      consistency: level.quorum,
      readTimeoutMs,
    },
    deleteCounters: plain('DELETE FROM $k.lab_counters WHERE run = ?'),
    deleteRequests: plain('DELETE FROM $k.resign_requests WHERE lease_table = ? AND name = ?'),
    // Written by conditions alone.
    deleteTerm: conditional('DELETE FROM $k.election_terms WHERE "group" = ? IF EXISTS'),
  }
}
