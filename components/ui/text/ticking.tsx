'use client'

import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { onTick, type Pace } from '../../../lib/client/time/ticker.ts'
import { useHydrating } from '../control/use-hydrating.ts'

interface TickingProps extends ComponentProps<'span'> {
  /** The text at a moment of the page's clock. */
  text: (nowMs: number) => string
  /** How often the text is written from a moment on. Otherwise ten times a second. */
  pace?: ((nowMs: number) => Pace) | undefined
  /** In the page's HTML it says what it says at 0: for texts whose moments count from there. */
  inHtml?: boolean
}

/** A text that time changes. The ticker writes it straight into the document: React renders nothing for it. */
export function Ticking({ text, pace, inHtml = false, ...props }: TickingProps) {
  const hydrating = useHydrating()
  // React writes it once: from then on the ticker does.
  const [first] = useState(() => (inHtml && hydrating ? text(0) : null))
  const ref = useRef<HTMLSpanElement>(null)
  // What was written last: reading it back from the document costs more than to remember it.
  const written = useRef<string | null>(null)
  useLayoutEffect(
    () =>
      onTick((nowMs) => {
        const element = ref.current
        const next = text(nowMs)
        if (element && written.current !== next) {
          if (element.firstChild instanceof Text) element.firstChild.data = next
          else element.textContent = next
          written.current = next
        }
        return pace?.(nowMs) ?? 'tenths'
      }),
    [text, pace],
  )
  return (
    <span {...props} ref={ref}>
      {first}
    </span>
  )
}
