/** Two people release a lease, not one person with two accounts. */
import { HttpProblem } from '../../http/http-problem.ts'

/** The facts of an account that the rule checks. */
export interface Account {
  readonly username: string
  /** Issuer and subject of a person of single sign-on. */
  readonly subject: string | null
  readonly createdAt: Date
  /** When another account gave this one its role or its password, or enabled it; null: never. */
  readonly changedAt: Date | null
}

/** Refuses two accounts of one person. @throws HttpProblem forbidden */
export function checkTwoPeople(approver: Account, asker: Account): void {
  const isOne =
    approver.username === asker.username || (approver.subject !== null && approver.subject === asker.subject)
  if (isOne)
    throw new HttpProblem(
      'forbidden',
      `You requested this release as ${asker.username}. Another person has to approve it.`,
    )
}

/**
 * Refuses an account that was made, or changed by another one, a short time ago: an admin could have made it, or taken it
 * over, to be the second person too.
 * @param afterMs after which time an account takes part; 0: at once
 * @throws HttpProblem forbidden
 */
export function checkSettled(
  { username, createdAt, changedAt }: Omit<Account, 'subject'>,
  afterMs: number,
  nowMs: number,
): void {
  const sinceMs = Math.max(createdAt.getTime(), changedAt?.getTime() ?? 0)
  if (nowMs - sinceMs >= afterMs) return
  const until = new Date(sinceMs + afterMs).toISOString().slice(0, 16).replace('T', ' ')
  throw new HttpProblem(
    'forbidden',
    `The account ${username} was made, or changed by another person, recently. It can take part in a release by two people from ${until} UTC on. Ask another person to approve or request the release.`,
  )
}
