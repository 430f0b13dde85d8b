import type { AuditAlarm } from '../../../../contract/audit.ts'

/**
 * The end of the main chain is not where it was, or does not keep what is appended: then nothing may be done that has to
 * be in it, until an operator restarts the chain with `npm run audit -- restart`.
 */
export class AuditDamagedError extends Error {
  override readonly name = 'AuditDamagedError'
  readonly code = 'audit-damaged'
  readonly alarm: AuditAlarm

  constructor(alarm: AuditAlarm) {
    super(`The audit log was changed: ${alarm.detail}`)
    this.alarm = alarm
  }
}

export const alarmTexts: Record<AuditAlarm['kind'], string> = {
  backwards: 'its end is before entries that were written; they are gone',
  head: 'its head and its last entry differ',
  forged: 'its last entry was not written by a console with the audit key',
  key: 'its last entry was written with another audit key than this console has',
  expiring: 'its end was given a time to live',
  vanished: 'an entry that was appended cannot be read back',
  link: 'entries are missing, or do not follow one another',
  planted: 'another client made a partition that no console has written; it is passed over',
  missing: 'an entry between others is gone',
  altered:
    'an entry is not what a console wrote in its place; it is shown as altered, or left out where it cannot be read',
}
