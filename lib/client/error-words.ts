/** Errors as sentences, in one place. The server's own sentence goes before ours where it knows more. */
import { type ApiErrorCode, codeOf, isApiError } from './api-error.ts'

/** What happened, then what to do. */
export interface Words {
  title: string
  detail: string
}

const words: Record<ApiErrorCode, Words> = {
  'server-unreachable': {
    title: 'Leasehold’s server does not answer.',
    detail: 'The connection was refused or broke. Check that it runs and that this machine reaches it.',
  },
  'server-timeout': {
    title: 'Leasehold’s server did not answer in time.',
    detail: 'It may be overloaded, or waiting for Cassandra.',
  },
  'bad-answer': {
    title: 'The answer is not Leasehold’s.',
    detail:
      'A proxy may have answered instead, or browser and server have different versions. Reload the page.',
  },
  'bad-request': { title: 'The server refused the request.', detail: '' },
  'unknown-table': { title: 'This table is not configured here.', detail: '' },
  'plan-invalid': { title: 'The plan is not valid.', detail: 'Plan again.' },
  'name-mismatch': { title: 'The typed name does not match.', detail: 'Nothing was released.' },
  unauthenticated: { title: 'You are not signed in.', detail: 'Sign in again.' },
  'wrong-credentials': { title: 'Wrong user name or password.', detail: '' },
  'setup-link-invalid': {
    title: 'This link no longer works.',
    detail:
      'It was used, or is older than an hour. To make a new one, run npm run user -- link on the server.',
  },
  forbidden: { title: 'You may not do this.', detail: '' },
  'wrong-origin': {
    title: 'This page was opened under the wrong address.',
    detail: 'Open the console at its public address.',
  },
  'read-only': { title: 'This table is read-only here.', detail: '' },
  'not-found': { title: 'Not found.', detail: '' },
  'not-held': { title: 'The lease is free.', detail: '' },
  'method-not-allowed': {
    title: 'The server refused the request.',
    detail: 'Reload the page: it may be of another version.',
  },
  'lock-held': { title: 'Another owner holds the lease.', detail: '' },
  'holder-changed': { title: 'Nothing was released.', detail: 'The holder changed after you looked.' },
  'plan-expired': {
    title: 'This plan has expired.',
    detail: 'Nothing was released. Plan again to re-read the holder.',
  },
  'plan-used': {
    title: 'This plan was already used.',
    detail: 'A plan is good for one act. Nothing was done again.',
  },
  'not-awaiting': { title: 'This release no longer waits for approval.', detail: '' },
  'user-exists': { title: 'This user name is taken.', detail: '' },
  'user-deleted': { title: 'This user was deleted past the console.', detail: '' },
  'last-admin': { title: 'This is the last admin.', detail: 'Make another user an admin first.' },
  'role-elsewhere': {
    title: 'The role comes from the provider.',
    detail: 'Change it there, or disable this user here.',
  },
  'no-password': {
    title: 'This user has no password here.',
    detail: 'This user signs in through the provider.',
  },
  'elevation-needed': {
    title: 'Confirm that it is you first.',
    detail: 'Enter your password, or sign in again. That is good for ten minutes.',
  },
  'too-many-attempts': { title: 'Too many attempts.', detail: 'Wait before you try again.' },
  'audit-unavailable': {
    title: 'Not done: the audit log is unavailable.',
    detail: 'An act without an audit entry is refused. Nothing was changed.',
  },
  'not-ready': {
    title: 'This console is not ready.',
    detail: 'It is still reading which sessions and tokens count. Nothing was done.',
  },
  'not-releasable': { title: 'This row cannot be released.', detail: '' },
  'not-holder': { title: 'Another owner holds the lease.', detail: '' },
  'request-in-progress': { title: 'The same request is still running.', detail: '' },
  'idempotency-key-reused': { title: 'The server refused the request.', detail: '' },
  'too-many-requests': { title: 'Too many requests at once.', detail: 'Wait a second, then try again.' },
  'body-too-slow': {
    title: 'The request did not arrive in full.',
    detail: 'Nothing was done. Check the connection, then send it again.',
  },
  'body-too-large': { title: 'The request is too large.', detail: '' },
  'expectation-failed': { title: 'The request expects something else.', detail: 'Reload the page.' },
  'headers-too-large': { title: 'The address is too long.', detail: 'Ask for less at once.' },
  'unsupported-media-type': { title: 'The server refused the request.', detail: '' },
  internal: { title: 'The server failed.', detail: 'Its log says more.' },
  'cassandra-unavailable': { title: 'Cassandra does not answer.', detail: '' },
  'cassandra-refused': { title: 'Cassandra refused the statement.', detail: '' },
  'outcome-unknown': {
    title: 'Cassandra has not answered.',
    detail: 'The write was sent; whether it took effect is unknown. Read the lease before sending it again.',
  },
}

const unexpected: Words = { title: 'The page failed.', detail: 'Reload it.' }

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
