/** As Cassandra's `paxos_variant` is set. Its own default is v1; where the variant is not known, v1 is the careful one. */
export type PaxosVariant = 'v1' | 'v2'

/**
 * How long after its start a conditional write may still be applied, in milliseconds: the server gives up contending
 * then (`cas_contention_timeout` and `write_request_timeout`, both 2 s at most; v1 was seen to take 5 s and more).
 * A cluster with longer time-outs than Cassandra's defaults breaks this bound.
 */
export const contentionLimitMs: Readonly<Record<PaxosVariant, number>> = { v1: 6_000, v2: 2_000 }
