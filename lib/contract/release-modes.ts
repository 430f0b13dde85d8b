import type { ReleaseMode } from './release.ts'
import type { Role } from './session.ts'

/** The least role for each mode of a forced release. */
export const releaseModeRoles = { kill: 'admin' } as const satisfies Record<ReleaseMode, Role>
