'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { sessionQuery } from '../../lib/client/call/queries.ts'
import { elevationSeconds } from '../../lib/contract/people/rights.ts'
import { Dialog, DialogHead } from '../ui/control/dialog.tsx'
import { Say } from '../ui/text/say.tsx'
import { ElevatePassword } from './elevate-password.tsx'
import { ElevateSso } from './elevate-sso.tsx'

interface ElevateDialogProps {
  open: boolean
  onClose: () => void
  /** The password was right: break, kill and the settings are open. A person of single sign-on comes back by a new page. */
  onElevated: () => void
  /** What it is asked for, where the dialog lies over what says so. */
  about?: ReactNode
}

/** Asks for the password, or for another sign-in, before something grave. Said in the header as long as it lasts. */
export function ElevateDialog({ open, onClose, onElevated, about }: ElevateDialogProps) {
  const { data, error } = useQuery({ ...sessionQuery, enabled: open })
  const password = useRef<HTMLInputElement>(null)
  const session = data?.data
  return (
    <Dialog open={open} onClose={onClose} narrow sticky initialFocus={session && password}>
      <DialogHead
        title={session?.via === 'sso' ? 'Sign in again' : 'Confirm your password'}
        lead={`This opens break, kill and the settings for ${elevationSeconds / 60} minutes. The header shows the time left.`}
      />
      {about && <div className="body">{about}</div>}
      {session === undefined ? (
        <div className="body">
          {error ? (
            <Say tone="danger" icon="risk" title={errorWords(error).title} role="alert">
              {errorWords(error).detail}
            </Say>
          ) : (
            <p className="mut">Loading your session…</p>
          )}
        </div>
      ) : session.via === 'sso' ? (
        <ElevateSso onClose={onClose} />
      ) : (
        <ElevatePassword
          username={session.username}
          field={password}
          onClose={onClose}
          onElevated={onElevated}
        />
      )}
    </Dialog>
  )
}
