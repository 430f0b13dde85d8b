import type { AuditEvent } from '../../../lib/contract/audit.ts'
import { PersonLink } from './object-text.tsx'

type Actor = AuditEvent['actor']

/** How an actor came in. Of a person, at the sign-in: what was done since may have asked for the password again. */
const actorVia: Record<Actor['via'], string> = {
  password: 'signed in by password',
  sso: 'signed in by single sign-on',
  token: 'by token',
  link: 'signed in by set-up link',
  terminal: 'at the server’s terminal',
  server: 'the server itself',
}

/** What stands behind the actor's name. A password is the usual way in, and in a row left out. */
export const actorWords = ({ role, via }: Pick<Actor, 'role' | 'via'>, isWhole: boolean): string =>
  [role && `, role ${role}`, (isWhole || via !== 'password') && `, ${actorVia[via]}`].filter(Boolean).join('')

/** Who did it, on one line: "admin, role admin, signed in by set-up link". */
export function ActorText({ actor }: { actor: Actor }) {
  return (
    <>
      <PersonLink username={actor.username} />
      <span className="dim">{actorWords(actor, false)}</span>
    </>
  )
}
