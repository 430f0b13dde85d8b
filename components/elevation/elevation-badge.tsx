'use client'

import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../../lib/client/call/call.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { Icon } from '../ui/control/icon.tsx'
import { Ticking } from '../ui/text/ticking.tsx'
import { elevationText } from './elevation-end.ts'
import { useElevation, useSessionAnswer } from './use-elevation.ts'

/** How much longer break, kill and the settings are open. Pressing it ends the elevation. */
export function ElevationBadge() {
  const { isElevated, remaining } = useElevation()
  const keep = useSessionAnswer()
  const end = useMutation({ mutationFn: () => call('endElevation', {}), onSuccess: keep })
  const text = useCallback((nowMs: number) => elevationText(remaining(nowMs)), [remaining])
  if (!isElevated) return null
  return (
    <>
      {end.isError && (
        <span className="small text-danger" role="alert">
          Not ended. {errorWords(end.error).title}
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
