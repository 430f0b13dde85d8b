import type { SsoError } from '../../lib/contract/people/sso.ts'
import { Say } from '../ui/text/say.tsx'
import { ssoWords } from './sso-words.ts'

interface SignInNoticeProps {
  error: SsoError | null
  /** There was a session, which is over. */
  ended: boolean
  /** What the user pressed last came after that end. */
  isActRefused: boolean
}

/** Why a person has to sign in again. */
export function SignInNotice({ error, ended, isActRefused }: SignInNoticeProps) {
  if (error !== null)
    return (
      <Say tone="danger" icon="risk" title={ssoWords[error].title} role="alert">
        {ssoWords[error].detail}
      </Say>
    )
  if (!ended) return null
  return (
    <Say icon="clock" title="Your session has ended." role="status">
      {isActRefused && (
        <>
          <b>
            Your last act was refused, because the session had ended before it: nothing was changed or
            released.
          </b>{' '}
        </>
      )}
      The session was idle too long, reached its time limit, or was ended elsewhere. Sign in to return to the
      page you were on.
    </Say>
  )
}
