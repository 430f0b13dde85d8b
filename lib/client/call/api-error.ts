import type { Problem } from '../../contract/problem.ts'
import type { ProblemCode } from '../../contract/problem-codes.ts'

/**
 * Errors without a problem from the server:
 * - `server-unreachable`: no connection, or it broke.
 * - `server-timeout`: connected, and no answer in time.
 * - `bad-answer`: an answer that the contract does not know, such as a proxy's error page.
 */
type ClientCode = 'server-unreachable' | 'server-timeout' | 'bad-answer'
export type ApiErrorCode = ProblemCode | ClientCode

interface Facts {
  code: ApiErrorCode
  /** 0 when there was no answer. */
  status?: number
  problem?: Problem | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** The one error that `call` throws. Decide by `code`; `error-words.ts` has the words for it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number
  readonly problem: Problem | undefined
  readonly retryAfterMs: number | undefined

  constructor(facts: Facts) {
    super(facts.problem?.detail ?? facts.code, { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status ?? 0
    this.problem = facts.problem
    this.retryAfterMs = facts.retryAfterMs
  }
}

export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError'

/** The code of an error, whatever was thrown. */
export const codeOf = (error: unknown): ApiErrorCode | undefined =>
  isApiError(error) ? error.code : undefined

/** The server's state is not known: it did not answer, or a proxy answered for it. */
export const isServerSilent = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === 'server-unreachable' || code === 'server-timeout' || code === 'bad-answer'
}

/** Whether the server may have done what failed for this page. Sending it again could do it twice. */
export const mayHaveActed = (error: unknown): boolean => {
  const code = codeOf(error)
  // `request-in-progress`: the browser sent the request a second time, and the first one is under way.
  return (
    isServerSilent(error) ||
    code === 'internal' ||
    code === 'outcome-unknown' ||
    code === 'request-in-progress'
  )
}
