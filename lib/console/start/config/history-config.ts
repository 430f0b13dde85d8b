import { z } from 'zod'

export const historyVariables = {
  /** 0: nothing is recorded. */
  LEASEHOLD_HISTORY_DAYS: z.coerce
    .number('is not a number')
    .int('is not a whole number')
    .min(0, 'is below 0')
    .max(365, 'is above 365')
    .default(7),
}
