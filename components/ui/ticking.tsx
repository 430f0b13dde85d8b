'use client'

import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { onTick } from '../../lib/client/ticker.ts'

interface TickingProps extends ComponentProps<'span'> {
  /** The text at a moment of `performance.now()`. */
  text: (nowMs: number) => string
}

/** A text that time changes. The ticker writes it straight into the document: React renders nothing for it. */
export function Ticking({ text, ...props }: TickingProps) {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(
    () =>
      onTick((nowMs) => {
        const element = ref.current
        const next = text(nowMs)
        if (element && element.textContent !== next) element.textContent = next
      }),
    [text],
  )
  return <span {...props} ref={ref} />
}
