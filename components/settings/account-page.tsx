'use client'

import { errorWords } from '../../lib/client/call/error-words.ts'
import { useSignOut } from '../shell/session/use-sign-out.ts'
import { useLockReason } from '../shell/truth/use-connection.ts'
import { LockedButton } from '../ui/control/locked-button.tsx'
import { Say } from '../ui/text/say.tsx'
import { AccountFacts } from './account-facts.tsx'
import { OwnPassword } from './password/own-password.tsx'
import { SettingsHead } from './settings-head.tsx'

/** The signed-in user: the session, the own password, and signing out everywhere. */
export function AccountPage() {
  return (
    <>
      <SettingsHead section="account" />
      <AccountFacts />
      <OwnPassword />
      <SignOutEverywhere />
    </>
  )
}

function SignOutEverywhere() {
  const lock = useLockReason()
  const signOut = useSignOut()
  const busy = signOut.isPending || signOut.isSuccess
  return (
    <section className="sect" aria-labelledby="everywhere">
      <div className="head">
        <h2 id="everywhere">Sign out everywhere</h2>
      </div>
      <p className="mut">
        All your sessions end at once, in every browser, this one too. Use this when you lost a device, or
        left a browser open.
      </p>
      {signOut.isError && (
        <div className="mt-3">
          <Say
            tone="danger"
            icon="risk"
            title={`Not signed out. ${errorWords(signOut.error).title}`}
            role="alert"
          >
            {errorWords(signOut.error).detail}
          </Say>
        </div>
      )}
      <div className="acts mt-3">
        <LockedButton
          className="btn danger-o"
          lock={lock}
          onClick={() => busy || signOut.mutate({ everywhere: true })}
        >
          {busy ? 'Signing out…' : 'Sign out everywhere'}
        </LockedButton>
      </div>
    </section>
  )
}
