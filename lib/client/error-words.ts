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
      'Something between this browser and the server answered for it, or the two are of different versions. Reload the page.',
  },
  'bad-request': { title: 'The server refused the request.', detail: '' },
  'unknown-table': { title: 'There is no such table here.', detail: '' },
  'plan-invalid': { title: 'The plan is not valid.', detail: 'Make a new plan.' },
  'name-mismatch': { title: 'The typed name does not match.', detail: 'Nothing was released.' },
  unauthenticated: { title: 'You are not signed in.', detail: 'Sign in again.' },
  'wrong-credentials': { title: 'That name and password do not go together.', detail: '' },
  'setup-link-invalid': {
    title: 'This link does not work any more.',
    detail: 'It was used, or is older than an hour. On the server, npm run user -- link makes a new one.',
  },
  forbidden: { title: 'You may not do this.', detail: '' },
  'wrong-origin': {
    title: 'This page is open under another address than the server’s own.',
    detail: 'Open the console at its public address.',
  },
  'read-only': { title: 'This table is read-only here.', detail: '' },
  'not-found': { title: 'It was not found.', detail: '' },
  'not-held': { title: 'The lease is free.', detail: '' },
  'method-not-allowed': {
    title: 'The server refused the request.',
    detail: 'Reload the page: it may be of another version.',
  },
  'lock-held': { title: 'Another owner holds it.', detail: '' },
  'holder-changed': { title: 'Nothing was released.', detail: 'The holder changed after you looked.' },
  'plan-expired': { title: 'The plan is too old.', detail: 'Nothing was released. Make a new plan.' },
  'plan-used': {
    title: 'This plan was used already.',
    detail: 'A plan is good for one act. Nothing was done again.',
  },
  'not-awaiting': { title: 'This release no longer waits for approval.', detail: '' },
  'user-exists': { title: 'There is a user of that name.', detail: '' },
  'user-deleted': { title: 'This user was deleted past the console.', detail: '' },
  'last-admin': { title: 'This is the last admin.', detail: 'Make another user an admin first.' },
  'role-elsewhere': {
    title: 'The role comes from the provider.',
    detail: 'Change it there, or disable this person here.',
  },
  'no-password': { title: 'There is no password here.', detail: 'This person signs in elsewhere.' },
  'elevation-needed': {
    title: 'This needs an elevation.',
    detail: 'Give your password again; it is good for ten minutes.',
  },
  'too-many-attempts': { title: 'Too many attempts.', detail: 'Wait before you try again.' },
  'audit-unavailable': {
    title: 'Nothing was done: the audit log takes no entry.',
    detail: 'An act without an audit entry is refused. Nothing was changed.',
  },
  'not-ready': {
    title: 'This console is not ready.',
    detail: 'It does not know yet which sessions and tokens count. Nothing was done.',
  },
  'not-releasable': { title: 'This row cannot be released.', detail: '' },
  'not-holder': { title: 'Another owner holds it.', detail: '' },
  'request-in-progress': { title: 'The same request is being carried out.', detail: '' },
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
