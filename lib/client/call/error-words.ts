/** Errors as sentences, in one place. The server's own sentence replaces our detail: it knows more. */
import { type ApiErrorCode, codeOf, isApiError } from './api-error.ts'

/** What happened, then what to do. */
export interface Words {
  title: string
  detail: string
}

const words: Record<ApiErrorCode, Words> = {
  'server-unreachable': {
    title: 'The Leasehold server does not answer.',
    detail:
      'The connection was refused or broke. Check that the server runs and that this machine reaches it.',
  },
  'server-timeout': {
    title: 'The Leasehold server did not answer in time.',
    detail: 'The server may be overloaded, or waiting for Cassandra.',
  },
  'bad-answer': {
    title: 'The page does not understand the answer.',
    detail: 'A proxy answered instead of the server, or this page is from another version. Reload the page.',
  },
  'bad-request': { title: 'The server refused the request.', detail: '' },
  'unknown-table': { title: 'Unknown table.', detail: '' },
  'plan-invalid': { title: 'The plan is not valid.', detail: 'Plan again.' },
  'name-mismatch': { title: 'The name you typed does not match.', detail: 'Nothing was released.' },
  unauthenticated: { title: 'You are not signed in.', detail: 'Sign in again.' },
  'wrong-credentials': { title: 'Wrong user name or password.', detail: '' },
  'setup-link-invalid': {
    title: 'This link no longer works.',
    detail:
      'The link was used, or is older than an hour. Until a password is set, npm run user -- link on the server prints a new one.',
  },
  forbidden: { title: 'You may not do this.', detail: '' },
  'wrong-origin': {
    title: 'This page was opened at the wrong address.',
    detail: 'Open the console at its public address.',
  },
  'read-only': { title: 'This table is read-only here.', detail: '' },
  'not-found': { title: 'Not found.', detail: '' },
  'not-held': { title: 'The lease is free.', detail: '' },
  'method-not-allowed': {
    title: 'The server refused the request.',
    detail: 'This page may be from another version. Reload it.',
  },
  'lock-held': { title: 'Another owner holds the lease.', detail: '' },
  'holder-changed': { title: 'Nothing was released.', detail: 'The holder changed after you looked.' },
  'plan-expired': {
    title: 'This plan has expired.',
    detail: 'Nothing was released. Plan again to re-read the holder.',
  },
  'plan-used': {
    title: 'This plan was already used.',
    detail: 'A plan works once. Nothing was done a second time.',
  },
  'not-awaiting': { title: 'This release no longer waits for approval.', detail: '' },
  'user-exists': { title: 'This user name is taken.', detail: '' },
  'user-deleted': { title: 'This user was deleted outside the console.', detail: '' },
  'no-effect': { title: 'The change had no effect.', detail: '' },
  'last-admin': { title: 'This is the last admin.', detail: 'Make another user an admin first.' },
  'role-elsewhere': {
    title: 'The sign-on provider sets this role.',
    detail: 'Change the role there, or disable the user here.',
  },
  'no-password': { title: 'This user has no password here.', detail: 'The user signs in by single sign-on.' },
  'elevation-needed': {
    title: 'Confirm that it is you first.',
    detail: 'Give your password or sign in again. It counts for ten minutes.',
  },
  'too-many-attempts': { title: 'Too many attempts.', detail: 'Wait before you try again.' },
  'audit-unavailable': {
    title: 'Not done: the audit log is unavailable.',
    detail: 'Nothing was changed. Try again.',
  },
  'too-late': {
    title: 'Not done: too late.',
    detail:
      'The console was stopped before it could act, or Cassandra was slow. Nothing was changed. Look again, then try again.',
  },
  'canary-failed': {
    title: 'The canary of this table failed.',
    detail: 'Two owners could hold one lease, so the console writes nothing to this table. Nothing was done.',
  },
  'not-ready': {
    title: 'This console is not ready.',
    detail: 'The console has not yet read which sessions and tokens are valid. Nothing was done.',
  },
  'not-releasable': { title: 'This row cannot be released.', detail: '' },
  'not-holder': { title: 'Another owner holds the lease.', detail: '' },
  'request-in-progress': { title: 'The same request is still running.', detail: '' },
  'lab-disabled': { title: 'The lab is switched off.', detail: '' },
  'lab-full': { title: 'There is no room for another run.', detail: 'Wait until a run has ended.' },
  'lab-refused': { title: 'The run did not do this.', detail: '' },
  'lab-elsewhere': { title: 'This run is on another instance of the console.', detail: '' },
  'idempotency-key-reused': { title: 'The server refused the request.', detail: '' },
  'too-many-requests': { title: 'Too many requests at once.', detail: 'Wait a second, then try again.' },
  'body-too-slow': {
    title: 'The request did not arrive in full.',
    detail: 'Nothing was done. Check the connection, then try again.',
  },
  'body-too-large': { title: 'The request is too large.', detail: '' },
  'expectation-failed': { title: 'The server refused the request.', detail: 'Reload the page.' },
  'headers-too-large': { title: 'The request is too long.', detail: 'Use fewer or shorter filters.' },
  'unsupported-media-type': { title: 'The server refused the request.', detail: '' },
  internal: { title: 'The server failed.', detail: 'See the server’s log.' },
  'cassandra-unavailable': { title: 'Cassandra does not answer.', detail: '' },
  'cassandra-refused': { title: 'Cassandra refused the statement.', detail: '' },
  'outcome-unknown': {
    title: 'Cassandra has not answered.',
    detail: 'The write was sent; whether it took effect is unknown. Read the lease before you try again.',
  },
}

const unexpected: Words = { title: 'The page failed.', detail: 'Reload the page.' }

/** The words for a thrown error. */
export function errorWords(error: unknown): Words {
  const code = codeOf(error)
  if (code === undefined) return unexpected
  const known = words[code]
  const said = isApiError(error) ? error.problem?.detail : undefined
  return { title: known.title, detail: said && said !== known.title ? said : known.detail }
}

/** What is wrong with one field of a body, by its path, as the server says; and the field's own sentence only. */
export function fieldIssue(error: unknown, path: string): string | undefined {
  if (!isApiError(error) || error.problem?.issues === undefined) return undefined
  return error.problem.issues.find((issue) => issue.path === path || issue.path.endsWith(`.${path}`))?.message
}
