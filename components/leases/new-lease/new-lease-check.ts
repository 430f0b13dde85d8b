import { isAddressable } from '../../../lib/contract/path.ts'
import { lockRequestSchema } from '../../../lib/contract/programs/lock.ts'
import { leaseNameSchema } from '../../../lib/contract/text.ts'

export interface NewLease {
  name: string
  /** As typed. */
  ttl: string
  value: string
}

/** What the contract allows, in seconds; a test holds the two together. */
export const ttlLimits = { min: 2, max: 31_536_000 } as const
export const ttlLimitsText = `${ttlLimits.min} to ${ttlLimits.max.toLocaleString('en-US')}`

/** What is wrong, by field, in the words of the form's labels. What is right here is right for the server too. */
export function newLeaseIssues({ name, ttl, value }: NewLease): Partial<Record<keyof NewLease, string>> {
  const issues: Partial<Record<keyof NewLease, string>> = {}
  const named = leaseNameSchema.safeParse(name)
  if (!named.success) issues.name = named.error.issues[0]?.message ?? 'The name is not valid.'
  else if (!isAddressable(name)) issues.name = 'The names "." and ".." cannot stand in the path of a URL.'
  const lives = ttlIssue(ttl.trim())
  if (lives !== undefined) issues.ttl = lives
  const valued = lockRequestSchema.safeParse({ value })
  if (!valued.success) issues.value = valued.error.issues[0]?.message ?? 'The value is not valid.'
  return issues
}

function ttlIssue(ttl: string): string | undefined {
  if (ttl === '') return `The time to live is empty; ${ttlLimitsText} seconds are allowed.`
  // Number() would take 0x10 and 1e2 for numbers, and no user means these as seconds.
  if (!/^[0-9]+$/.test(ttl))
    return `The time to live is whole seconds, in digits alone; ${ttlLimitsText} are allowed.`
  if (Number(ttl) < ttlLimits.min)
    return `The time to live is below ${ttlLimits.min} seconds; ${ttlLimitsText} are allowed.`
  if (Number(ttl) > ttlLimits.max)
    return `The time to live is above ${ttlLimits.max.toLocaleString('en-US')} seconds; ${ttlLimitsText} are allowed.`
  return undefined
}
