/**
 * How often leases changed hands lately, as far as the reads of one process show it.
 *
 * Guarantees: a hand-over that is counted happened, within the last five minutes. What is remembered is bounded: of more names
 * than that, those that changed the longest ago are forgotten.
 * Does not guarantee: that every hand-over is counted. Two holders between two reads are one hand-over.
 */
import { BoundedMap, isReservedOwner } from 'leasehold/lease'
import { flapping } from '../../../contract/leases/lease-state.ts'

/** A lease that was free for longer was not lost to its next holder: jobs that run now and then take turns like that. */
const freeForMs = 10_000
const namesMax = 10_000

interface Memory {
  /** The last holder, if the lease is free since. */
  left: { readonly owner: string; readonly atMs: number } | null
  /** When it changed hands: the last times. */
  times: number[]
  touchedMs: number
}

/** What a row says of itself. Times are of the monotonic clock. */
interface Flaps {
  readonly handOvers: number
  /** Until when it is flapping, if it changes hands no more. null: it is not. */
  readonly flapsUntilMs: number | null
}

const none: Flaps = { handOvers: 0, flapsUntilMs: null }

export class HandOvers {
  /** In the order of their last change. */
  readonly #names = new BoundedMap<string, Memory>(namesMax)

  get size(): number {
    return this.#names.size
  }

  /** A later read showed this owner in the place of that one. */
  changed(name: string, before: string | null, after: string | null, nowMs: number): void {
    if (isHolder(before) && isHolder(after) && before !== after) this.#count(name, nowMs)
  }

  /** The row is gone. */
  left(name: string, owner: string | null, nowMs: number): void {
    if (isHolder(owner)) this.#touch(name, nowMs).left = { owner, atMs: nowMs }
  }

  /** A row that was not there. */
  came(name: string, owner: string | null, nowMs: number): void {
    const left = this.#names.get(name)?.left ?? null
    if (left !== null && nowMs - left.atMs <= freeForMs) this.changed(name, left.owner, owner, nowMs)
  }

  of(name: string, nowMs: number): Flaps {
    const memory = this.#names.get(name)
    if (memory === undefined) return none
    const times = memory.times.filter((atMs) => nowMs - atMs < flapping.withinMs)
    const first = times[times.length - flapping.handOvers]
    return {
      handOvers: times.length,
      flapsUntilMs: first === undefined ? null : first + flapping.withinMs,
    }
  }

  /** Forgets what is too long ago. */
  prune(nowMs: number): void {
    for (const [name, { touchedMs }] of this.#names) {
      if (nowMs - touchedMs < flapping.withinMs) return
      this.#names.delete(name)
    }
  }

  #count(name: string, nowMs: number): void {
    const memory = this.#touch(name, nowMs)
    memory.left = null
    memory.times = [...memory.times.filter((atMs) => nowMs - atMs < flapping.withinMs), nowMs].slice(-99)
  }

  #touch(name: string, nowMs: number): Memory {
    const memory = this.#names.get(name) ?? { left: null, times: [], touchedMs: nowMs }
    memory.touchedMs = nowMs
    this.#names.set(name, memory)
    return memory
  }
}

/** A quarantine holds nothing. */
const isHolder = (owner: string | null): owner is string => owner !== null && !isReservedOwner(owner)
