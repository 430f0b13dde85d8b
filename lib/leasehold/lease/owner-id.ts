import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { BoundedMap } from './bounded-map.ts'

const processPart = `${hostname().slice(0, 64)}:${process.pid}`
let count = 0

/**
 * An owner id for one try, never used again: `host:pid:random:n`. The random part is drawn for each try: copies of a
 * running machine share everything that was drawn before.
 *
 * All safety under late answers hangs on this. A conditional write that was given up may be applied 25 s later; with
 * an id that was used only once, its condition matches nothing by then. See docs/decisions/01-owner-ids-are-used-once.md.
 */
export function uniqueOwner(): string {
  const owner = `${processPart}:${randomBytes(6).toString('hex')}:${(++count).toString(36)}`
  lastMade.set(owner, true)
  return owner
}

/** A row outlives many tries of an outage: hundreds in a few minutes. */
const lastMade = new BoundedMap<string, true>(1_000)

/**
 * Whether this process made the id, among its last hundreds. How an id begins does not tell: two containers may share a host's name and a
 * process id.
 */
export const isMadeHere = (owner: string): boolean => lastMade.has(owner)
