'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { codeOf } from '../../../lib/client/call/api-error.ts'
import { call } from '../../../lib/client/call/call.ts'
import { keys, tokensQuery } from '../../../lib/client/call/queries.ts'
import type { ApiToken } from '../../../lib/contract/programs/token.ts'
import { Dialog } from '../../ui/control/dialog.tsx'
import { Say } from '../../ui/text/say.tsx'
import { ActForm } from '../act-form.tsx'
import { withoutToken } from '../shown-list.ts'
import { TokenUse } from './token-use.tsx'

interface RevokeDialogProps {
  token: ApiToken
  /** By the page's clock; null: never. */
  usedAtMs: number | null
  lock: string | null
  onClose: () => void
}

/** Takes a token back, after saying what follows. */
export function RevokeDialog({ token, usedAtMs, lock, onClose }: RevokeDialogProps) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => call('deleteToken', { params: { id: token.id } }),
    onSettled: (_, error) => {
      // Another admin was faster: the token is revoked.
      const isRevoked = error === null || codeOf(error) === 'not-found'
      if (isRevoked) {
        // A read that is under way would bring it back.
        client.cancelQueries({ queryKey: keys.tokens })
        client.setQueryData(tokensQuery.queryKey, (shown) => withoutToken(shown, token.id))
      }
      client.invalidateQueries({ queryKey: keys.tokens })
      if (isRevoked) onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} narrow>
      <ActForm
        title={
          <>
            Revoke <bdi>{token.name}</bdi>
          </>
        }
        lead={
          <>
            Last used: <TokenUse usedAtMs={usedAtMs} />.
          </>
        }
        error={codeOf(revoke.error) === 'not-found' ? null : revoke.error}
        onAct={() => revoke.mutate()}
        act="Revoke the token"
        busyText="Revoking…"
        busy={revoke.isPending || revoke.isSuccess}
        lock={lock}
        tone="danger"
        onClose={onClose}
      >
        <Say tone="warn" icon="risk" title="Programs using this token are refused at once.">
          They can no longer renew their leases, and lose them at expiry. A revoked token cannot be restored:
          make a new one.
        </Say>
      </ActForm>
    </Dialog>
  )
}
