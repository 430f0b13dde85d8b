'use client'

import { CopyButton } from '../ui/copy-button.tsx'
import { Say } from '../ui/say.tsx'

interface SecretOnceProps {
  /** "password", "token". */
  what: string
  secret: string
}

/** A secret in the only moment in which it can be seen. */
export function SecretOnce({ what, secret }: SecretOnceProps) {
  return (
    <>
      <div className="secret">
        <output aria-label={`The ${what}`}>{secret}</output>
        <CopyButton text={secret} label={`Copy the ${what}`} />
      </div>
      <Say tone="warn" icon="risk" title="It is shown this once.">
        Leasehold keeps only its hash. Copy it now: with this window it is gone.
      </Say>
    </>
  )
}
