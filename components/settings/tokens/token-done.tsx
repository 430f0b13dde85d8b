'use client'

import type { z } from 'zod'
import type { createdTokenSchema } from '../../../lib/contract/programs/token.ts'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { DialogLead, DialogTitle } from '../../ui/control/dialog.tsx'
import { Code } from '../../ui/text/code.tsx'
import { SecretFoot, SecretOnce } from './secret-once.tsx'
import { curlLine } from './token-text.ts'

/** The token is made: it is shown here alone, with a line that uses it. */
export function TokenDone({
  token,
  onClose,
}: {
  token: z.infer<typeof createdTokenSchema>
  onClose: () => void
}) {
  const line = curlLine(token, location.origin)
  return (
    <>
      <div className="body first-step">
        <DialogTitle>Token made</DialogTitle>
        <DialogLead>
          Programs using this token appear as <b>{token.name}</b>.
        </DialogLead>
        <div className="once">
          <SecretOnce what="token" secret={token.token} />
          <div className="cql">
            <header>
              Try it: set LEASEHOLD_API_TOKEN to the token, then run
              <span className="push">
                <CopyButton text={line} label="Copy the line" />
              </span>
            </header>
            <pre>
              <Code text={line} />
            </pre>
          </div>
        </div>
      </div>
      <SecretFoot what="token" onClose={onClose} />
    </>
  )
}
