import type { ProblemCode } from '../problem-codes.ts'

/** The meaning of each code, in one sentence, for the reference. */
export const problemWords: Record<ProblemCode, string> = {
  'bad-request': 'The request breaks a rule of this document; `detail` and `issues` say which.',
  'unknown-table': 'The console has no table with this id.',
  'plan-invalid': 'The plan does not belong to this lease or this person. Plan again.',
  'name-mismatch': 'The typed name differs from the lease’s name.',
  unauthenticated: 'The session or token is missing, ended or revoked.',
  'wrong-credentials': 'The user name or the password is wrong.',
  'setup-link-invalid': 'The one-time link was used, or is older than an hour.',
  forbidden: 'The caller’s role, or the token’s role or prefixes, does not allow this.',
  'wrong-origin': 'A browser sent this from a page of another origin than PUBLIC_URL.',
  'read-only': 'The table is configured as read-only.',
  'elevation-needed': 'The act needs an elevation: POST /v1/session/elevation first.',
  'not-found': 'Nothing has this id.',
  'not-held': 'The lease has no holder.',
  'method-not-allowed': 'The path exists, for other methods; see the header Allow.',
  'body-too-slow': 'The body did not arrive in time.',
  'lock-held': 'Another owner holds the lease: `holder` names it.',
  'holder-changed': 'The holder changed after the plan. Nothing was released.',
  'plan-expired': 'The plan has expired. Plan again to re-read the holder.',
  'plan-used': 'The plan was already used; `release` has its outcome.',
  'not-awaiting': 'The release no longer waits for a second person.',
  'user-exists': 'A user with this name exists.',
  'user-deleted':
    'Something other than the console deleted the row of this user. The user is not restored automatically; `detail` says how.',
  'no-effect':
    'Something other than the console dated the row of this user, lock or release in the future, so that the write had no effect; `detail` says until when, if that can be read.',
  'last-admin': 'The last enabled admin cannot be demoted or disabled.',
  'no-password': 'This person signs in through single sign-on and has no password here.',
  'role-elsewhere': 'The role comes from the single sign-on provider.',
  'not-releasable': 'The lease cannot be released this way now; `detail` says why.',
  'request-in-progress': 'A request with this Idempotency-Key is still being carried out.',
  'lab-disabled': 'The lab is switched off on this console: see LEASEHOLD_LAB.',
  'lab-full':
    'The caller has a run already, or as many runs are under way as the lab takes; `detail` says which.',
  'lab-refused': 'The run has ended, or cannot do this now; `detail` says which.',
  'lab-elsewhere': 'Another instance of the console runs this run, and only that one can act on it.',
  'not-holder': 'Another owner holds the lease, so this owner cannot renew or release it.',
  'body-too-large': 'The body exceeds the limit.',
  'unsupported-media-type': 'The body is not uncompressed application/json in UTF-8.',
  'expectation-failed': 'The header Expect asks for something other than 100-continue.',
  'idempotency-key-reused': 'This Idempotency-Key came with a different request before.',
  'too-many-attempts': 'Too many passwords were tried. Wait for Retry-After.',
  'too-many-requests': 'The caller exceeds the rate limit. Wait for Retry-After.',
  'headers-too-large': 'The request line and the headers exceed 16 KiB.',
  internal: 'The console failed unexpectedly; its log has the request id.',
  'cassandra-unavailable': 'Cassandra does not answer. Nothing was done; `detail` says more.',
  'cassandra-refused': 'Cassandra refused the statement.',
  'canary-failed':
    'The canary of this table failed: two owners could hold one lease. The console writes nothing to it until a canary passes; `detail` says what it found.',
  'audit-unavailable': 'The audit log cannot be written, so the act was not carried out.',
  'too-late':
    'More than 30 s passed between the permission and the act: the console was stopped, or Cassandra was slow. Nothing was done; look again, then repeat the request.',
  'not-ready':
    'The console has not yet read which sessions and tokens are valid, or no scan of the leases has ended yet, or the audit log was changed. Nothing was done; `detail` says what to do.',
  'outcome-unknown':
    'Cassandra did not answer a write, or a statement after it: the request, or a part of it, may have taken effect, or may do so yet. Of a lock, `owner` names the owner it was sent for.',
}
