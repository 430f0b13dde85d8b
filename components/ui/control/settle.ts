import type { AnimationEvent } from 'react'

/** A row fades in once: one that is moved begins its animation again, unless it is marked when the first one ends. */
export function settle(event: AnimationEvent<HTMLElement>): void {
  if (event.target === event.currentTarget) event.currentTarget.dataset.settled = ''
}
