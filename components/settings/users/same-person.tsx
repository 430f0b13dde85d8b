import type { User } from '../../../lib/contract/people/user.ts'
import { Say } from '../../ui/text/say.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'

/** Each person with several accounts once: the names of the accounts, the one that sign-ins use first. */
function personsWithSeveral(users: readonly User[]): (readonly string[])[] {
  return users.flatMap(({ username, samePerson }) => (samePerson?.[0] === username ? [samePerson] : []))
}

/** In the row of an account: the others of its person. */
export function SamePersonNote({ username, samePerson }: User) {
  if (samePerson === undefined) return null
  const others = samePerson.filter((name) => name !== username)
  return (
    <span className="twin">
      same person as <SeenText text={others.join(', ')} />
    </span>
  )
}

/** One person with two accounts looks like two, everywhere but in a release by two people. */
export function SamePersonAlarms({ users }: { users: readonly User[] }) {
  return personsWithSeveral(users).map(([used = '', ...others]) => (
    <div key={used} className="mt-3">
      <Say
        tone="warn"
        icon="risk"
        role="alert"
        title={
          <>
            <SeenText text={[used, ...others].join(' and ')} /> are accounts of one person.
          </>
        }
      >
        The sign-on provider has one subject for them. Sign-ins use <SeenText text={used} />, the oldest one.
        Disable <SeenText text={others.join(', ')} />: the person can still sign in as{' '}
        <SeenText text={used} />. To keep the person out, disable <SeenText text={used} />.
      </Say>
    </div>
  ))
}
