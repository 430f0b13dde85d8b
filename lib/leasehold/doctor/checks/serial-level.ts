import { type Judgement, ok, warn } from '../finding.ts'

/**
 * Whether the serial level fits the data centres.
 * @param advice the session's `serialAdvice`; null: it is the right level
 */
export const checkSerialLevel = (serial: 'SERIAL' | 'LOCAL_SERIAL', advice: string | null): Judgement =>
  advice === null
    ? ok(`Conditional writes and confirmed reads run at ${serial}.`)
    : warn(
        `Conditional writes and confirmed reads run at ${serial}: ${advice}`,
        'Every program that uses a table must use one serial level. SERIAL is right for any number of data centres.',
      )
