import type { CassandraNode } from './node.mjs'

/** What a console on this node finds in its environment. */
export function roleEnvironment(roles: CassandraNode['roles']): Record<string, string>
