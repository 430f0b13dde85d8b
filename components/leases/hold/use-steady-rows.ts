'use client'

import type { PointerEvent, RefObject } from 'react'
import { useAimedPress } from './use-aimed-press.ts'
import { useRowHold } from './use-row-hold.ts'

/**
 * What a table of leases listens to, so that no press acts on another row than the one that was meant.
 * @param onHold while it is on, no row may change its place
 * @param onMissed a press did nothing, because another row had come under the pointer
 */
export function useSteadyRows(
  table: RefObject<HTMLElement | null>,
  onHold: (on: boolean) => void,
  onMissed: () => void,
) {
  const hold = useRowHold(table, onHold)
  const { onPointerMove, onClickCapture } = useAimedPress(table, onMissed)
  return {
    ...hold,
    onClickCapture,
    onPointerMove: (event: PointerEvent) => {
      hold.onPointerMove(event)
      onPointerMove(event)
    },
  }
}
