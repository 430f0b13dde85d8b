import cassandra from 'cassandra-driver'

const { consistencies } = cassandra.types

/** The one serial level of a deployment. Never mix the two on one table: two data centres could both win. */
export type SerialLevel = 'SERIAL' | 'LOCAL_SERIAL'

export interface Statement {
  readonly cql: string
  readonly consistency: number
  /** Of conditional writes alone: it does nothing on a SELECT. */
  readonly serialConsistency?: number | undefined
  /** After how many milliseconds without an answer the client gives up. */
  readonly readTimeoutMs: number
}

/**
 * Above everything the server may take (`native_transport_timeout` 12 s, and up to 5 s of contention under Paxos v1): an
 * answer of the server is worth waiting for, because a time-out at the client is never final.
 */
export const writeTimeoutMs = 20_000

/** Reads have no side effect: a screen that must say within 5 s that Cassandra is silent gives up early. */
export const readTimeoutMs = 2_500

/** The quorum and the serial consistency of a deployment. */
export const levelsOf = (serial: SerialLevel) =>
  serial === 'SERIAL'
    ? { serial: consistencies.serial, quorum: consistencies.quorum }
    : { serial: consistencies.localSerial, quorum: consistencies.localQuorum }
