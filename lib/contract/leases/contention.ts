/**
 * For how long a write contends at most, in milliseconds, under Paxos v1, which takes longer than v2: a TTL that is read looks
 * shorter by so much. The browser does not load the library, whose `contentionLimitMs.v1` it is.
 */
export const longestContentionMs = 6_000
