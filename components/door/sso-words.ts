import type { Words } from '../../lib/client/call/error-words.ts'
import type { SsoError } from '../../lib/contract/people/sso.ts'

const log = 'See the server’s log.'

/** What went wrong with a single sign-on, and what to do. */
export const ssoWords: Record<SsoError, Words> = {
  'sso-unavailable': {
    title: 'The sign-on provider does not answer.',
    detail: `Try again, or sign in with a password if you have one here. ${log}`,
  },
  'sso-refused': {
    title: 'The sign-on provider did not let you through.',
    detail:
      'You cancelled there, or may not use this console. Try again, or ask the provider’s administrator.',
  },
  'sso-expired': {
    title: 'This sign-on has expired.',
    detail: 'It took longer than ten minutes, was already used, or began in another browser. Sign in again.',
  },
  'sso-invalid': {
    title: 'The sign-on provider’s answer is not valid.',
    detail: `You were not signed in. Try again; if it fails again, ask an admin. ${log}`,
  },
  'sso-no-role': {
    title: 'You have no role here.',
    detail:
      'The sign-on provider gives you none of the roles viewer, operator and admin. Ask its administrator.',
  },
  'sso-name-taken': {
    title: 'Another user has your name here.',
    detail: 'The sign-on provider says that you are not that user. Ask an admin.',
  },
  'sso-no-name': {
    title: 'The sign-on provider sent no usable name.',
    detail: `You were not signed in. Ask an admin. ${log}`,
  },
  'sso-disabled': { title: 'Your user is disabled.', detail: 'Ask an admin.' },
  'sso-user-deleted': {
    title: 'New users cannot sign in at the moment.',
    detail: `A user was deleted outside the console. Ask an admin. ${log}`,
  },
  'sso-not-allowed': {
    title: 'You were not elevated.',
    detail: 'The sign-on provider gives you a role that cannot be elevated.',
  },
  'sso-other-person': {
    title: 'You were not elevated.',
    detail: 'Another person signed in at the provider, or your session here has ended.',
  },
  'sso-not-fresh': {
    title: 'You were not elevated.',
    detail: 'The sign-on provider did not ask you to sign in again. Sign out there, then try again.',
  },
  'sso-too-many-attempts': {
    title: 'Too many attempts.',
    detail: 'They came from your network address. Wait some minutes before you try again.',
  },
  'sso-audit-unavailable': {
    title: 'Not done: the audit log is unavailable.',
    detail: 'You were not signed in. Try again.',
  },
  'sso-too-late': {
    title: 'Not done: the server answered too late.',
    detail: 'You were not signed in. Try again.',
  },
  'sso-cassandra-unavailable': {
    title: 'Cassandra does not answer.',
    detail: 'Sessions are kept in Cassandra, so you cannot sign in until it answers. Try again.',
  },
  'sso-not-ready': {
    title: 'This console is not ready.',
    detail:
      'The console has not yet read which sessions are valid. Try again in a moment; if it fails again, see the server’s log.',
  },
  'sso-failed': { title: 'The server failed.', detail: log },
}
