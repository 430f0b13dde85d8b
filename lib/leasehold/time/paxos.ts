/** Cassandra's setting `paxos_variant`; its default is v1. For an unknown variant v1 is the safe assumption. */
export type PaxosVariant = 'v1' | 'v2'

/**
 * How long after its start a conditional write may still be applied, in milliseconds. Then the server stops contending:
 * `cas_contention_timeout` and `write_request_timeout` are 2 s at most by default, and v1 took 5 s and more when
 * measured. A cluster with longer time-outs than Cassandra's defaults breaks this bound.
 */
export const contentionLimitMs: Readonly<Record<PaxosVariant, number>> = { v1: 6_000, v2: 2_000 }

/** A try is answered within this, in milliseconds, or its caller goes on without an answer: the contention limit and a second. */
export const answerWithinMs = (variant: PaxosVariant): number => contentionLimitMs[variant] + 1_000
