import type { Clock } from 'leasehold/time'
import type { CredentialChecks } from './authorise.ts'
import type { Handlers, Reads, Repeats } from './handler.ts'
import type { HttpProblem, ProblemSources } from './http-problem.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import type { ListSlots } from './limits/list-slots.ts'
import type { OpenRequests } from './limits/open-requests.ts'
import type { RequestLimits } from './limits/request-limits.ts'
import type { Access } from './log/access-log.ts'
import type { Log } from './log/log.ts'
import type { RequestMeter } from './log/request-meter.ts'

/** What the router needs; start/ makes it of the rooms. */
export interface Api extends CredentialChecks, ProblemSources {
  readonly config: { readonly publicUrl: URL; readonly trustProxy: boolean }
  readonly clock: Clock
  readonly handlers: Handlers
  readonly repeats: Repeats
  readonly reads: Reads
  readonly requestLimits: RequestLimits
  /** Browsers in which a user signed in before. */
  readonly devices: { known(cookieHeader: string | null): Promise<string | null> }
  readonly openRequests: OpenRequests
  /** As `openRequests`, for answers that come over time. */
  readonly openStreams: OpenRequests
  readonly listSlots: ListSlots
  readonly idempotency: Idempotency
  readonly requestLog: Log
  /** Left out: nothing counts. */
  readonly meter?: RequestMeter
  /** Whether this is the token of LEASEHOLD_METRICS_TOKEN; left out: there is none. */
  readonly scraper?: { is(bearer: string): boolean }
  /** Records a refusal in the audit log. */
  noteRefusal(access: Access, requestId: string, problem: HttpProblem): void
}
