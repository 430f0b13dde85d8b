import { HttpProblem } from '../../http/http-problem.ts'

/** 429 for a sign-in or an elevation, with the seconds to wait. */
export const tooManyAttempts = (seconds: number) =>
  new HttpProblem(
    'too-many-attempts',
    `Too many attempts. Try again in ${seconds} s.`,
    {},
    { 'Retry-After': String(seconds) },
  )
