import type { Role } from '../people/rights.ts'
import type { ReleaseMode } from './release.ts'

/**
 * The rules of the modes of a forced release: the least role, whether an elevation is needed, and whether the name has
 * to be typed. All of them need a reason.
 */
export const releaseModes = {
  ask: { role: 'operator', elevation: false, typedName: false },
  break: { role: 'operator', elevation: true, typedName: true },
  kill: { role: 'admin', elevation: true, typedName: true },
} as const satisfies Record<ReleaseMode, { role: Role; elevation: boolean; typedName: boolean }>

/** Where LEASEHOLD_ADMIN_ACTIONS is `disabled`: of a lease, and in the lab. */
export const releasesDisabledText = 'Forced releases are disabled on this server (LEASEHOLD_ADMIN_ACTIONS).'
