/** For tests alone: rows and reads of them. */
import type { LeaseCells } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import type { Moment } from 'leasehold/time'
import type { Reading, WatchedRow } from './rows/watched-row.ts'

/** A whole second, by the coordinators' clock. */
export const startMs = Date.UTC(2026, 0, 1)

const at = (ms: number): Moment => ({ monotonicMs: ms, wallMs: startMs + ms })

interface Read {
  level?: 'SERIAL' | 'QUORUM'
  /** When it was sent and answered, in milliseconds since the start. */
  sent: number
  answered?: number
}

const readFacts = ({ level = 'SERIAL', sent, answered = sent }: Read) => ({
  level,
  sent: at(sent),
  at: at(answered),
  serverNowMs: startMs + answered,
})

/** A read that found no row. */
export const nothing = (name: string, read: Read): Reading => ({
  name,
  cells: null,
  read: readFacts(read),
  earliestServerMs: startMs + (read.answered ?? read.sent),
})

/** A read of a lease that `owner` wrote `writtenMs` after the start, for `ttlSeconds`. */
export function lease(
  name: string,
  read: Read,
  written: { owner: string | null; value?: string | null; writtenMs?: number; ttlSeconds?: number | null },
): Reading {
  const { owner, value = 'v', writtenMs = 0, ttlSeconds = 30 } = written
  const serverNowMs = startMs + (read.answered ?? read.sent)
  const left =
    ttlSeconds === null
      ? null
      : Math.floor((startMs + writtenMs) / 1000) + ttlSeconds - Math.floor(serverNowMs / 1000)
  const cells: LeaseCells = {
    owner,
    value,
    ownerWritetime: owner === null ? null : BigInt(startMs + writtenMs) * 1000n,
    ownerTtlSeconds: owner === null ? null : left,
    valueTtlSeconds: value === null ? null : left,
    serverNowMs,
  }
  return { name, cells, read: readFacts(read), earliestServerMs: serverNowMs }
}

export const row = (name: string, facts: Partial<WatchedRow> = {}): WatchedRow => ({
  name,
  owner: 'owner',
  value: 'v',
  version: 1n,
  expiresAtMs: startMs + 30_000,
  valueExpiresAtMs: startMs + 30_000,
  ttlSeconds: 30,
  state: 'held',
  heldSinceMs: null,
  renewed: false,
  handOvers: 0,
  flapsUntilMs: null,
  read: readFacts({ sent: 0 }),
  scan: 1,
  ...facts,
})

/** Runs steps without anything between them. */
export function toTheEnd<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** By its clock each look at the time takes a millisecond. */
export class TiringClock extends FakeClock {
  #ms = 0

  override now() {
    const { monotonicMs, wallMs } = super.now()
    this.#ms++
    return { monotonicMs: monotonicMs + this.#ms, wallMs: wallMs + this.#ms }
  }
}
