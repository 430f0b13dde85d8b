'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { mayHaveActed } from '../../lib/client/call/api-error.ts'
import { call } from '../../lib/client/call/call.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { keys } from '../../lib/client/call/queries.ts'
import { Icon } from '../ui/control/icon.tsx'
import { Ticking } from '../ui/text/ticking.tsx'
import { elevationText } from './elevation-end.ts'
import { useElevation, useSessionAnswer } from './use-elevation.ts'

/** How much longer break, kill and the settings are open. */
export function ElevationBadge() {
  const { elevatedUntil, remaining } = useElevation()
  // An error of one elevation says nothing of the next.
  return elevatedUntil === null ? null : <EndElevation key={elevatedUntil} remaining={remaining} />
}

/** Says it; pressing it ends the elevation. */
function EndElevation({ remaining }: { remaining: (nowMs: number) => number }) {
  const client = useQueryClient()
  const keep = useSessionAnswer()
  const end = useMutation({
    mutationFn: () => call('endElevation', {}),
    onSuccess: keep,
    // It may have ended: the session says so, before the error does.
    onError: () => client.invalidateQueries({ queryKey: keys.session }),
  })
  const text = useCallback((nowMs: number) => elevationText(remaining(nowMs)), [remaining])
  return (
    <>
      {end.isError && (
        <span className="small text-danger" role="alert">
          {mayHaveActed(end.error) ? 'It may have ended.' : 'Not ended.'} {errorWords(end.error).title}
        </span>
      )}
      <button
        type="button"
        className="elev"
        title="Break, kill and the settings are open to you. Press to end this."
        aria-disabled={end.isPending || undefined}
        onClick={() => end.isPending || end.mutate()}
      >
        <Icon name="shield" />
        <span>
          <span className="elev-word">Elevated </span>
          <Ticking text={text} />
        </span>
        <span className="vh">: end it</span>
      </button>
    </>
  )
}
