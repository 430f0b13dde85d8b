import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Lease, leaseSchema } from '../../contract/leases/lease.ts'
import { planLifetimeSeconds } from '../../contract/releases/release.ts'
import { startOf, valueMaxBytes } from '../../contract/text-size.ts'

export const planSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  username: z.string(),
  /** The lease as the person saw it. The act is bound to its owner; a newer version is shown as a renewal. */
  lease: leaseSchema,
  madeAtMs: z.number(),
  expiresAtMs: z.number(),
})

/** A plan of a forced release: what a person saw and means to release. It is kept in a row, and its id stands for it. */
export type Plan = z.infer<typeof planSchema>

/** A new plan, good for a minute from `nowMs` (wall clock). Its id cannot be guessed. */
export function planOf(username: string, lease: Lease, nowMs: number): Plan {
  return {
    v: 1,
    id: randomBytes(9).toString('base64url'),
    username,
    lease: { ...lease, value: lease.value === null ? null : cut(lease.value) },
    madeAtMs: nowMs,
    expiresAtMs: nowMs + planLifetimeSeconds * 1000,
  }
}

/** A plain client's value may be of any size; the row keeps as much of it as the page shows. */
const cut = (value: string) => (value.length > valueMaxBytes ? `${startOf(value, 1000)}…` : value)
