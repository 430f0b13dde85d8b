import { isLeaseholdError, StatementUnknownError } from 'leasehold/lease'
import { HttpProblem } from './http-problem.ts'

/** Answers that promise that nothing was done: docs/guarantees.md, “The REST API”. */
const nothingDone: readonly HttpProblem['code'][] = ['cassandra-unavailable', 'too-late', 'not-ready']
const silent = ['store-unavailable', 'statement-unknown', 'closed'] as const

/**
 * What a request asks of Cassandra once a statement of it has taken effect. *Unavailable* and *not ready* promise that nothing
 * was done, so that they are no answers any more.
 * @param done what was done, and what to do now, in sentences
 * @throws StatementUnknownError in their place, with these sentences; else what `work` throws
 */
export async function afterAct<T>(done: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const isSilent = silent.some((code) => isLeaseholdError(thrown, code))
    if (!isSilent && !(thrown instanceof HttpProblem && nothingDone.includes(thrown.code))) throw thrown
    throw new StatementUnknownError(`${done} ${(thrown as Error).message}`, 'never', { cause: thrown })
  }
}
