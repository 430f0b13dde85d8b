import { countText } from '../../lib/client/time/time-text.ts'
import { reasonMaxLength } from '../../lib/contract/releases/reason-length.ts'

/** Why the audit log does not take this reason; undefined: it does. An input that cuts would lose the end of a paste in silence. */
export function reasonProblem(reason: string): string | undefined {
  const { length } = reason.trim().normalize('NFC')
  return length <= reasonMaxLength
    ? undefined
    : `It is ${countText(length)} characters long; ${reasonMaxLength} are allowed.`
}
