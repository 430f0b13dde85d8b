/**
 * Every error this API answers with, and its status. Programs rely on the code; it never changes.
 * The sentence for people is in the answer's `detail`.
 */
export const problemStatus = {
  'bad-request': 400,
  'unknown-table': 400,
  'plan-invalid': 400,
  'name-mismatch': 400,
  unauthenticated: 401,
  'wrong-credentials': 401,
  'setup-link-invalid': 401,
  forbidden: 403,
  'wrong-origin': 403,
  'read-only': 403,
  'elevation-needed': 403,
  'not-found': 404,
  'not-held': 404,
  'method-not-allowed': 405,
  'body-too-slow': 408,
  'lock-held': 409,
  'holder-changed': 409,
  'plan-expired': 409,
  'plan-used': 409,
  'not-awaiting': 409,
  'user-exists': 409,
  'user-deleted': 409,
  'no-effect': 409,
  'last-admin': 409,
  'no-password': 409,
  'role-elsewhere': 409,
  'not-releasable': 409,
  'request-in-progress': 409,
  'lab-disabled': 409,
  'lab-full': 409,
  'lab-refused': 409,
  'lab-elsewhere': 409,
  'not-holder': 412,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  'idempotency-key-reused': 422,
  'too-many-attempts': 429,
  'headers-too-large': 431,
  'too-many-requests': 429,
  internal: 500,
  'cassandra-unavailable': 503,
  'cassandra-refused': 503,
  'audit-unavailable': 503,
  'too-late': 503,
  'canary-failed': 503,
  'not-ready': 503,
  'outcome-unknown': 503,
} as const

export type ProblemCode = keyof typeof problemStatus
export const problemCodes = Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]

const titles: Partial<Record<ProblemCode, string>> = {
  'cassandra-unavailable': 'Cassandra does not answer',
  'outcome-unknown': 'The outcome is unknown',
  'holder-changed': 'The holder changed',
  'canary-failed': 'The canary of this table failed',
  'lock-held': 'Another owner holds the lease',
}

/** The `title` of an answer: the code in words, unless those would mislead. */
export const problemTitle = (code: ProblemCode): string =>
  titles[code] ?? code.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())
