import type { Words } from '../../lib/client/error-words.ts'
import type { SsoError } from '../../lib/contract/people/sso.ts'

const admin = 'The log of the server says more.'

/** What went wrong with a single sign-on, and what to do. */
export const ssoWords: Record<SsoError, Words> = {
  'sso-unavailable': {
    title: 'The sign-on provider does not answer.',
    detail: `Try again, or sign in with a password if you have one here. ${admin}`,
  },
  'sso-refused': {
    title: 'The sign-on provider did not let you through.',
    detail:
      'It was cancelled there, or you may not use this console. Try again, or ask whoever runs the provider.',
  },
  'sso-expired': {
    title: 'This sign-on is over.',
    detail: 'It took longer than ten minutes, was used already, or began in another browser. Begin again.',
  },
  'sso-invalid': {
    title: 'The provider’s answer does not hold.',
    detail: `Nobody was signed in. Begin again; if it happens again, tell an admin. ${admin}`,
  },
  'sso-no-role': {
    title: 'You have no role here.',
    detail:
      'The provider knows you, but gives you none of viewer, operator and admin. Ask whoever runs the provider.',
  },
  'sso-name-taken': {
    title: 'Somebody else has your name here.',
    detail: 'A user of that name is not you by what the provider says. Ask an admin.',
  },
  'sso-no-name': {
    title: 'The provider did not say what you are called.',
    detail: `Or a name that cannot be used here. Ask an admin. ${admin}`,
  },
  'sso-disabled': { title: 'You are disabled here.', detail: 'Ask an admin.' },
  'sso-user-deleted': {
    title: 'No new person can sign in at the moment.',
    detail: `The record of a person was deleted past the console. Ask an admin. ${admin}`,
  },
  'sso-not-allowed': {
    title: 'You were not elevated.',
    detail: 'Your role, as the provider says it now, may not have an elevation.',
  },
  'sso-other-person': {
    title: 'You were not elevated.',
    detail: 'Somebody else signed in at the provider, or your session here has ended.',
  },
  'sso-not-fresh': {
    title: 'You were not elevated.',
    detail: 'The provider did not ask you again. Sign out there, then try again.',
  },
  'sso-too-many-attempts': {
    title: 'Too many attempts.',
    detail: 'They came from your address. Wait some minutes before you try again.',
  },
  'sso-audit-unavailable': {
    title: 'It cannot be written down, so it was not done.',
    detail: 'The audit log does not take an entry. Nobody was signed in. Try again.',
  },
  'sso-cassandra-unavailable': {
    title: 'Cassandra does not answer.',
    detail: 'Sessions are kept there, so that nobody can be let in until it does. Try again.',
  },
  'sso-not-ready': {
    title: 'This console is not ready.',
    detail:
      'It does not know yet which sessions count, so it admits no user. Try again in a moment; if it stays so, read the server’s log.',
  },
  'sso-failed': { title: 'The server failed.', detail: admin },
}
