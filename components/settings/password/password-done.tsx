'use client'

import { DialogLead, DialogTitle } from '../../ui/control/dialog.tsx'
import { SecretFoot, SecretOnce } from '../tokens/secret-once.tsx'

interface PasswordDoneProps {
  title: string
  /** Whose password it is. */
  of: string
  /** null: the admin typed it, and knows it. */
  generated: string | null
  onClose: () => void
}

/** The password is set; a generated one is shown, here alone. */
export function PasswordDone({ title, of, generated, onClose }: PasswordDoneProps) {
  return (
    <>
      <div className="body first-step">
        <DialogTitle>{title}</DialogTitle>
        <DialogLead>
          <bdi className="mono">{of}</bdi> can sign in with{' '}
          {generated === null ? 'the password that you typed' : 'this password'}, and change it under My
          account.
        </DialogLead>
        {generated !== null && (
          <div className="once">
            <SecretOnce what="password" secret={generated} />
          </div>
        )}
      </div>
      <SecretFoot what="password" onClose={onClose} />
    </>
  )
}
