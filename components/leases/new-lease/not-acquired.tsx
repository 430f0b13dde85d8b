'use client'

import { isApiError, mayHaveActed } from '../../../lib/client/call/api-error.ts'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { durationText } from '../../../lib/client/time/time-text.ts'
import { leasePath } from '../../../lib/contract/path.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Say } from '../../ui/text/say.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'

interface NotAcquiredProps {
  error: unknown
  name: string
  table: string | undefined
}

/** Why a lease was not acquired: held by another owner, or an error. Where the lease says more, it can be opened. */
export function NotAcquired({ error, name, table }: NotAcquiredProps) {
  const link = (
    <PageLink className="link" href={leasePath(name, table)}>
      Open the lease
    </PageLink>
  )
  const holder = isApiError(error) && error.code === 'lock-held' ? error.problem?.holder : undefined
  if (holder)
    return (
      <Say tone="warn" icon="held" title="Another owner holds this lease." role="alert">
        {holder.owner === null ? (
          // Without an owner column neither can be read.
          'The table does not say which, or until when.'
        ) : (
          <>
            Held by{' '}
            <bdi className="seen mono break-all">
              <SeenText text={holder.owner} />
            </bdi>
            {holder.remainingMs === null
              ? ', without an expiry.'
              : `, for another ${durationText(holder.remainingMs)} unless renewed.`}
          </>
        )}{' '}
        {link}
      </Say>
    )
  const { title, detail } = errorWords(error)
  if (mayHaveActed(error))
    return (
      <Say tone="danger" icon="risk" title="The lease may have been acquired." role="alert">
        {title} Read the lease before you try again. {link}
      </Say>
    )
  return (
    <Say tone="danger" icon="risk" title={title} role="alert">
      {detail}
    </Say>
  )
}
