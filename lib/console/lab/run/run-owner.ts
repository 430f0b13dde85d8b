/**
 * The owners of a run. A row with another owner is not the run’s, even under the name of its lease: any client of Cassandra can write
 * one there, and no act and no end of a run touches it.
 */
import { randomUUID } from 'node:crypto'
import { quarantineMark } from 'leasehold/lease'

/** Of a candidate’s owner ids. */
export const ownerPrefix = (candidate: string, run: string): string => `${candidate}:${run}:`

export const plainOwner = (run: string): string => `plain:${run}`

const markPrefix = (run: string): string => `lab:${run}:`
/** Of a break. */
export const breakId = (run: string): string => `${markPrefix(run)}${randomUUID()}`

/** Whether a candidate, the plain client or a break of this run wrote it. */
export function isOfRun(owner: string, run: string): boolean {
  const [, ofRun] = /^c[1-8]:([^:]*):/.exec(owner) ?? []
  return ofRun === run || owner === plainOwner(run) || owner.startsWith(quarantineMark(markPrefix(run)))
}
