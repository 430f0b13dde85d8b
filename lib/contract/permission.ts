import { anyTable, isAtLeast, isElevated, type Role, type TokenRole, tokenRoles } from './people/rights.ts'
import type { Session } from './people/session.ts'

/** Who may call a route: the one column of the table from which everything else about permissions is derived. */
export type Permission =
  /** Every caller, signed in or not. */
  | { people: 'anybody'; programs: 'any' }
  | {
      /** The least role of a person. */
      people: Role
      /** `never`: people alone. `any`: with any token that is valid. */
      programs: 'never' | 'any'
      /** Only for a person who gave the password, or signed in, again within the last minutes. */
      elevated?: true
    }
  | {
      people: Role
      /** What a token must be good for. */
      programs: TokenRole
      /**
       * The parameter with the name (for `prefix`: the query's `name`, else its `prefix`) to which the prefixes of a token apply.
       * `all`: the answer tells of all names, so that one of the prefixes has to be empty.
       */
      scopedBy: 'name' | 'group' | 'prefix' | 'all'
      /** LEASEHOLD_METRICS_TOKEN is good for it too, also while Cassandra does not answer. */
      scraper?: true
    }

/** Why a sender may not call a route. `role` and `elevation` are for people, the others for programs. */
export type Refusal = 'role' | 'elevation' | 'programs' | 'token-role' | 'scope' | 'table'

/**
 * Whether the sender of a request may do what needs `permission`.
 * @param name the lease's name, or the prefix of the names asked for, where `scopedBy` names a parameter
 * @param table the id of the table; elections and sequences count to `leases`
 * @returns null: they may
 */
export function refusalOf(
  permission: Permission,
  session: Session,
  {
    name = '',
    table = 'leases',
    nowMs,
  }: { name?: string | undefined; table?: string | undefined; nowMs: number },
): Refusal | null {
  if (permission.people === 'anybody') return null
  if (session.role !== 'client') {
    if (!isAtLeast(session, permission.people)) return 'role'
    return 'elevated' in permission && !isElevated(session, nowMs) ? 'elevation' : null
  }
  const { programs } = permission
  if (programs === 'never') return 'programs'
  if (programs === 'any') return null
  const { scope } = session
  if (scope === null || tokenRoles.indexOf(scope.role) < tokenRoles.indexOf(programs)) return 'token-role'
  const ofAll = 'scopedBy' in permission && permission.scopedBy === 'all'
  if (!scope.tables.includes(anyTable) && (ofAll || !scope.tables.includes(table))) return 'table'
  return scope.prefixes.some((prefix) => name.startsWith(prefix)) ? null : 'scope'
}
