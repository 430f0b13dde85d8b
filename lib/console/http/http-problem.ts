import type { CassandraSession } from 'leasehold/cassandra'
import { isLeaseholdError } from 'leasehold/lease'
import type { Clock } from 'leasehold/time'
import type { Problem } from '../../contract/problem.ts'
import { type ProblemCode, problemStatus, problemTitle } from '../../contract/problem-codes.ts'
import type { Answer } from './adapters/api-request.ts'
import { iso } from './instant.ts'
import type { Log } from './log/log.ts'

type Extra = Partial<Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'detail' | 'requestId'>>

/** An answer that is a problem. Thrown by handlers, mapped in one place. */
export class HttpProblem extends Error {
  /**
   * Instrumentation, pages and routes each have a copy of this class, and one of them catches what another one throws:
   * so the name decides, not `instanceof`.
   */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return typeof thrown === 'object' && thrown !== null && 'name' in thrown && thrown.name === 'HttpProblem'
  }

  override readonly name = 'HttpProblem'
  readonly code: ProblemCode
  readonly extra: Extra
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, detail: string, extra: Extra = {}, headers: Record<string, string> = {}) {
    super(detail)
    this.code = code
    this.extra = extra
    this.headers = headers
  }
}

/** The state of the cluster that a problem shows, and the log for unexpected errors. */
export interface ProblemSources {
  readonly session: Pick<CassandraSession, 'nodes'>
  readonly clock: Clock
  readonly log: Log
}

const retryAfterSeconds = '2'

export function problemAnswer(
  { code, message, extra, headers }: HttpProblem,
  requestId: string,
): Answer & { text: string } {
  const status = problemStatus[code]
  const body: Problem = {
    type: `urn:leasehold:problem:${code}`,
    title: problemTitle(code),
    status,
    code,
    detail: message,
    ...extra,
    requestId,
  }
  const sent: Record<string, string> = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
  }
  if (status === 503) sent['Retry-After'] = retryAfterSeconds
  return { status, headers: { ...sent, ...headers }, text: JSON.stringify(body) }
}

/**
 * The only table from thrown errors to answers.
 * @param facts for the log: the route, and the id of the request
 */
export function problemOf(
  thrown: unknown,
  { session, log, clock }: ProblemSources,
  facts: { where: string; requestId: string },
): HttpProblem {
  if (thrown instanceof HttpProblem) return thrown
  if (isLeaseholdError(thrown, 'invalid-argument')) return new HttpProblem('bad-request', thrown.message)
  if (isLeaseholdError(thrown, 'store-unavailable')) {
    if (thrown.mayHaveHappened) return new HttpProblem('outcome-unknown', thrown.message)
    const { nodes, nodesUp } = session.nodes()
    return new HttpProblem('cassandra-unavailable', `${thrown.message} ${connectionText(nodesUp, nodes)}`, {
      nodes,
      nodesUp,
      now: iso(clock.now().wallMs),
    })
  }
  // The console closes its sessions when it ends: another instance, or the next start, answers.
  if (isLeaseholdError(thrown, 'closed'))
    return new HttpProblem('cassandra-unavailable', 'This console is shutting down. Try again.')
  if (isLeaseholdError(thrown, 'outcome-unknown'))
    return new HttpProblem(
      'outcome-unknown',
      thrown.message,
      thrown.owner === null ? {} : { owner: thrown.owner },
    )
  if (isLeaseholdError(thrown, 'lease-lost'))
    return new HttpProblem(
      'lock-held',
      `The lock was lost before the console could answer: ${thrown.message}`,
    )
  if (isLeaseholdError(thrown, 'statement-unknown')) return new HttpProblem('outcome-unknown', thrown.message)
  if (isLeaseholdError(thrown, 'store-refused')) {
    log.error({ ...facts, error: thrown }, 'Cassandra refused a statement')
    return new HttpProblem('cassandra-refused', thrown.message)
  }
  log.error({ ...facts, error: thrown }, 'unexpected')
  return new HttpProblem('internal', 'The server failed unexpectedly. See its log, under this request id.')
}

/** A node that is paused or overloaded keeps its connections: that all stand is no answer. */
function connectionText(nodesUp: number, nodes: number): string {
  if (nodes === 1)
    return nodesUp === 0
      ? 'The node is not connected.'
      : 'The console’s connection to the node looks open, so the node may be paused or overloaded.'
  if (nodesUp < nodes || nodes === 0)
    return `${nodesUp} of ${nodes} nodes ${nodesUp === 1 ? 'is' : 'are'} connected.`
  return `The console’s connections to all ${nodes} nodes look open, so some of them may be paused or overloaded.`
}
