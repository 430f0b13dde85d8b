import type { Clock } from 'leasehold/time'
import type { AuditLog } from '../audit/audit-entry.ts'
import type { ProblemSources } from '../http/http-problem.ts'
import type { Log } from '../http/log/log.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Attempts } from './sign-in/attempts.ts'
import type { Devices } from './sign-in/devices.ts'
import type { SetupLink } from './sign-in/setup-link.ts'
import type { Sso } from './sso/sso.ts'
import type { Users } from './users.ts'

/** What the handlers of users need. */
export interface UserServices {
  readonly users: Users
  readonly audit: AuditLog
  readonly clock: Clock
}

/** What sign-in, elevation and changing one's own password need. */
export interface SignInServices extends UserServices {
  readonly config: { readonly publicUrl: URL }
  readonly sessions: Sessions
  readonly attempts: Attempts
  readonly devices: Devices
  readonly setupLink: SetupLink
  readonly log: Log
}

/** What single sign-on needs. */
export interface SsoServices extends SignInServices, ProblemSources {
  /** null: single sign-on is not configured. */
  readonly sso: Sso | null
}
