import cassandra from 'cassandra-driver'

const { consistencies } = cassandra.types

/** The serial level of a deployment. Never mix the two on one table: two data centres could both grant a lease. */
export type SerialLevel = 'SERIAL' | 'LOCAL_SERIAL'

export interface Statement {
  /** What it is for, as telemetry shows it: a word of the source, never a name. Left out: `other`. */
  readonly operation?: string | undefined
  readonly cql: string
  readonly consistency: number
  /** For conditional writes only: it has no effect on a SELECT. */
  readonly serialConsistency?: number | undefined
  /** How long the client waits for an answer, in milliseconds. */
  readonly readTimeoutMs: number
  /** A conditional write is sent within this time of the call, in milliseconds, or never. Left out: within a second. */
  readonly sentWithinMs?: number | undefined
}

/**
 * Longer than a server may take (`native_transport_timeout` 12 s, and up to 5 s of contention under Paxos v1). The
 * server's answer is worth the wait, because a time-out at the client is never final.
 */
export const writeTimeoutMs = 20_000

/** Short, because a read has no side effect, and a screen must report a silent Cassandra within 5 s. */
export const readTimeoutMs = 2_500

/** The quorum and the serial consistency of a deployment. */
export const levelsOf = (serial: SerialLevel) =>
  serial === 'SERIAL'
    ? { serial: consistencies.serial, quorum: consistencies.quorum }
    : { serial: consistencies.localSerial, quorum: consistencies.localQuorum }
