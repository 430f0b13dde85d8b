/**
 * What the command says of a lease that an operator broke. Its row has a mark in the owner's place, and in the value, where the
 * table has one, a note for people. No process acquires the lease before the mark expires.
 */
import { isLeaseholdError, isQuarantine, type LeaseView, remainingMs } from '../../lease/index.ts'
import { systemClock, systemTimer } from '../../time/index.ts'
import { durationText } from '../commands/format.ts'
import { CliError } from '../process/cli-error.ts'
import { exitCode } from '../process/exit-codes.ts'
import { printable } from '../process/printable.ts'

/** null: the row does not say it. */
interface BreakNote {
  /** The operator. */
  readonly by: string | null
  /** The holder before. */
  readonly was: string | null
  /** ISO 8601. */
  readonly at: string | null
}

type Row = Pick<LeaseView, 'name' | 'owner' | 'value' | 'expiresAtMs' | 'read'>

/** How long a command waits for the row of a broken lease, in milliseconds. */
const readWithinMs = 2_000

/** The note in the value of a broken lease, as `quarantineValue` of lib/contract writes it, which a package cannot import. */
export function breakNoteOf(value: string | null): BreakNote {
  const { by, was, at } = noteIn(value)
  const text = (said: unknown) => (typeof said === 'string' && said !== '' ? said : null)
  const isInstant = typeof at === 'string' && !Number.isNaN(Date.parse(at))
  return { by: text(by), was: text(was), at: isInstant ? at : null }
}

function noteIn(value: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(value ?? 'null')?.quarantine)
  } catch {
    return {}
  }
}

/** Reads the row for as long as its mark is there. null: it has another owner now, or none, or does not come in time */
export async function markedRow<V extends Pick<LeaseView, 'owner'>>(
  mark: string,
  read: () => Promise<V | null>,
): Promise<V | null> {
  const none = () => null
  const row = await Promise.race([read().catch(none), systemTimer.sleep(readWithinMs).then(none)])
  return row?.owner === mark ? row : null
}

/** One sentence or two: who broke the lease, who held it, and when it is safe. */
export function brokenText(row: Row): string {
  const { by, was } = breakNoteOf(row.value)
  const who = `${by === null ? 'An operator' : printable(by)} broke the lease ${JSON.stringify(row.name)}`
  const held = was === null ? '' : `, which ${printable(was)} held`
  const safe = safeText(row)
  const until = safe === null ? ', because its mark has no expiry' : ` until it is safe, at ${safe}`
  return `${who}${held}. No process can acquire it${until}.`
}

/** For `get`: facts, and their texts. Empty: the row does not say it. */
export function brokenFacts(row: Row): Record<'owner' | 'broken' | 'before' | 'safe at', string> {
  const { by, was, at } = breakNoteOf(row.value)
  const safe = safeText(row)
  return {
    owner: 'none',
    broken: `by ${by === null ? 'an operator' : printable(by)}${at === null ? '' : `, at ${printable(at)}`}`,
    before: was === null ? '' : `held by ${printable(was)}`,
    'safe at': safe === null ? 'never: its mark has no expiry' : `${safe}; no process can acquire it before`,
  }
}

/** null: never. */
function safeText(row: Row): string | null {
  const left = remainingMs(row, systemClock.now())
  if (row.expiresAtMs === null || left === null) return null
  return `${new Date(row.expiresAtMs).toISOString()}, in ${durationText(Math.max(0, left))}`
}

/** In the place of an error that names the mark of a break as the holder: one that says what the row says. */
export async function orBroken(thrown: unknown, read: () => Promise<Row | null>): Promise<unknown> {
  if (!isLeaseholdError(thrown, 'lease-held') || !isQuarantine(thrown.holder)) return thrown
  const row = await markedRow(thrown.holder as string, read)
  if (row === null) return thrown
  const next = 'Wait longer with --wait, or show it with `leasehold get`.'
  return new CliError(exitCode.held, `${brokenText(row)} ${next}`, { cause: thrown })
}
