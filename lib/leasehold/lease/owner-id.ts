import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

const processPart = `${hostname().slice(0, 64)}:${process.pid}`
let count = 0

/**
 * An owner id for one try, never used again: `host:pid:random:n`. The random part is drawn for each try: copies of a
 * running machine share everything that was drawn before.
 *
 * All safety under late answers hangs on this. A conditional write that was given up may be applied 25 s later; with
 * an id that was used only once, its condition matches nothing by then. See docs/decisions/01-owner-ids-are-used-once.md.
 */
export const uniqueOwner = (): string =>
  `${processPart}:${randomBytes(6).toString('hex')}:${(++count).toString(36)}`
