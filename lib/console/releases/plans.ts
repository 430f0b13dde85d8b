import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Lease, leaseSchema } from '../../contract/lease.ts'
import { planLifetimeSeconds } from '../../contract/release.ts'
import { valueMaxBytes } from '../../contract/text.ts'

export const planSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  username: z.string(),
  /** The lease as the person saw it. The act is bound to its owner; a newer version is told as a renewal, no more. */
  lease: leaseSchema,
  madeAtMs: z.number(),
  expiresAtMs: z.number(),
})

export type Plan = z.infer<typeof planSchema>

/**
 * Plans of a forced release: what somebody saw and means to release, signed, so that it comes back as it was made.
 */
export class Plans {
  readonly #key: Buffer
  readonly #nowMs: () => number

  constructor(key: Buffer, nowMs: () => number) {
    this.#key = key
    this.#nowMs = nowMs
  }

  make(username: string, lease: Lease): { plan: Plan; signed: string } {
    const madeAtMs = this.#nowMs()
    const plan: Plan = {
      v: 1,
      id: randomBytes(9).toString('base64url'),
      username,
      lease: { ...lease, value: lease.value === null ? null : cut(lease.value) },
      madeAtMs,
      expiresAtMs: madeAtMs + planLifetimeSeconds * 1000,
    }
    const body = Buffer.from(JSON.stringify(plan)).toString('base64url')
    return { plan, signed: `${body}.${this.#sign(body)}` }
  }

  /** @returns the plan, or why it is not one */
  open(signed: string): { kind: 'plan'; plan: Plan } | { kind: 'expired'; plan: Plan } | { kind: 'invalid' } {
    const [body = '', signature = ''] = signed.split('.')
    const expected = Buffer.from(this.#sign(body))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'invalid' }
    const parsed = planSchema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()))
    if (!parsed.success) return { kind: 'invalid' }
    return { kind: this.#nowMs() >= parsed.data.expiresAtMs ? 'expired' : 'plan', plan: parsed.data }
  }

  #sign(body: string): string {
    return createHmac('sha256', this.#key).update(`release-plan.${body}`).digest('base64url')
  }
}

/** A plain client's value may be of any size; the plan travels, and needs as much of it as a person looks at. */
const cut = (value: string) => (value.length > valueMaxBytes ? `${value.slice(0, 1000)}…` : value)
