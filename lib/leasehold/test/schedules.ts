/**
 * How many random schedules a test plays: a quarter in `npm test`, all of them in `npm run test:long`. Seeds are fixed, so the
 * quarter is the same in each run, and is the first of them all.
 */
export const schedules = (all: number): number =>
  process.env.LEASEHOLD_LONG === undefined ? Math.ceil(all / 4) : all
