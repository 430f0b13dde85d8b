'use client'

import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { settingsRhythmMs, tokensQuery } from '../../../lib/client/call/queries.ts'
import { countText } from '../../../lib/client/time/time-text.ts'
import type { ApiToken } from '../../../lib/contract/programs/token.ts'
import { useUrlState } from '../../leases/address/use-url-state.ts'
import { useLockReason, useLost } from '../../shell/truth/use-connection.ts'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { NotRead } from '../../ui/control/not-read.tsx'
import { Age } from '../../ui/text/age.tsx'
import { SettingsHead } from '../settings-head.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { TokenRows } from './token-rows.tsx'

/** The tokens that programs sign in with. The open dialog stands in the URL. */
export function TokensPage() {
  const { params, change } = useUrlState()
  const query = useQuery(tokensQuery)
  const lost = useLost()
  const lock = useLockReason() ?? (query.isError ? 'the tokens could not be read' : null)
  const answer = query.data
  const tokens = answer?.data.tokens ?? []
  const close = useCallback(() => change({ new: undefined, revoke: undefined }), [change])
  const revoked = tokens.find(({ id }) => id === params.get('revoke'))
  // By the server's own time, on this page's clock.
  const usedAtMs = ({ lastUsedAt }: ApiToken) =>
    lastUsedAt === null || answer === undefined
      ? null
      : answer.arrivedAtMs - (Date.parse(answer.data.now) - Date.parse(lastUsedAt))
  return (
    <>
      <SettingsHead section="tokens">
        <LockedButton className="btn" icon="plus" lock={lock} onClick={() => change({ new: '1' })}>
          Make a token
        </LockedButton>
      </SettingsHead>
      {query.isError && lost === null && (
        <NotRead
          error={query.error}
          what="The list of tokens"
          shown={answer !== undefined}
          rhythmMs={settingsRhythmMs}
        />
      )}
      {answer !== undefined && tokens.length === 0 ? (
        <NoToken />
      ) : (
        (answer !== undefined || !query.isError) && (
          <TokenRows
            tokens={tokens}
            loading={answer === undefined}
            stale={lost !== null || query.isError}
            lock={lock}
            usedAtMs={usedAtMs}
            onRevoke={({ id }) => change({ revoke: id })}
          />
        )
      )}
      {answer && tokens.length > 0 && (
        <div className="foot">
          <span>
            {countText(tokens.length)} {tokens.length === 1 ? 'token' : 'tokens'}, read{' '}
            <Age sinceMs={answer.arrivedAtMs} after=" ago" whole />. Secrets are not stored, only their
            hashes.
          </span>
        </div>
      )}
      <NewTokenDialog open={params.has('new')} onClose={close} lock={lock} />
      {revoked !== undefined && (
        <RevokeDialog token={revoked} usedAtMs={usedAtMs(revoked)} lock={lock} onClose={close} />
      )}
    </>
  )
}

function NoToken() {
  return (
    <div className="plain" role="status">
      <h2>No tokens yet.</h2>
      <p className="mut">
        Programs sign in with a token: through curl, the command <code>leasehold</code>, or the library over
        HTTP. Each token covers the names that you choose, and can be revoked.
      </p>
    </div>
  )
}
