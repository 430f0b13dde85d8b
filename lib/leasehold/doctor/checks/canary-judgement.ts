import type { CanaryOutcome } from '../canary/canary.ts'
import { fail, type Judgement, ok, unknown } from '../finding.ts'

export function judgeCanary(outcome: CanaryOutcome): Judgement {
  switch (outcome.kind) {
    case 'passed':
      return outcome.part === 'whole'
        ? ok('A fresh lease was granted once, renewed, released, and expired, each as it must.')
        : ok(
            'A fresh lease was granted once, renewed, and released, each as it must. Its expiry is still to be tried.',
          )
    case 'unknown':
      return unknown(
        `The canary proved nothing: ${outcome.found}`,
        'Run it again once Cassandra answers; the role that writes needs SELECT and MODIFY on the table.',
      )
    case 'failed':
      return fail(
        outcome.found,
        outcome.isUnsafe
          ? 'Stop the programs that rely on leases of this table: two of them may hold one lease. See the other checks of this table, mend what they name, and run the canary again.'
          : 'See the other checks of this table, mend what they name, and run the canary again.',
      )
  }
}
