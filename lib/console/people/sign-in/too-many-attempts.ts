import { HttpProblem } from '../../http/http-problem.ts'

/** 429 of whoever proves who they are, and when to try again. */
export const tooManyAttempts = (seconds: number) =>
  new HttpProblem(
    'too-many-attempts',
    `Too many attempts. Try again in ${seconds} s.`,
    {},
    { 'Retry-After': String(seconds) },
  )
