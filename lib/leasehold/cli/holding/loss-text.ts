/** Why a lease is lost, or not renewed, for the user of the command. Sentences without their full stop. */
import { isLeaseholdError, isQuarantine, type LeaseView } from '../../lease/index.ts'
import type { Connection } from '../connection/connection.ts'
import { printable } from '../process/printable.ts'
import { breakNoteOf, markedRow } from './broken-text.ts'

/** @param operator the one who broke the lease, as `operatorOf` found out; null: not known */
export function lossText(reason: unknown, operator: string | null = null): string {
  if (!isLeaseholdError(reason, 'lease-lost')) return withoutStop((reason as Error).message)
  const lost = `The lease ${JSON.stringify(reason.lease)} is lost`
  if (isQuarantine(reason.holder))
    return `${lost}: ${operator === null ? 'an operator' : printable(operator)} broke it`
  if (reason.reason === 'not-holder' && reason.holder !== null)
    return `${lost}: a renewal was refused, because ${printable(reason.holder)} holds it`
  return withoutStop(reason.message)
}

/**
 * The operator who broke a lease, as the mark in its row says.
 * @param reason why the lease is lost
 * @returns null: no operator broke it, or the row does not say which one (its table has no value column), or does not come
 */
export async function operatorOf(
  reason: unknown,
  read: () => Promise<Pick<LeaseView, 'owner' | 'value'> | null>,
): Promise<string | null> {
  if (!isLeaseholdError(reason, 'lease-lost') || !isQuarantine(reason.holder)) return null
  const view = await markedRow(reason.holder as string, read)
  return view === null ? null : breakNoteOf(view.value).by
}

/** Why a renewal failed; undefined: none has. The errors of a server name it; those of Cassandra do not name its address. */
export function failureText(failure: unknown, connection: Connection): string | undefined {
  if (!(failure instanceof Error)) return undefined
  const isSilence =
    isLeaseholdError(failure, 'store-unavailable') ||
    (isLeaseholdError(failure, 'statement-unknown') && failure.finality === 'never')
  if (isSilence && connection.kind === 'cassandra')
    return `Cassandra at ${connection.connect.contactPoints.join(', ')} does not answer`
  return withoutStop(failure.message)
}

const withoutStop = (text: string): string => text.replace(/\.$/, '')
