'use client'

import { useEffect, useState } from 'react'
import { serverNow } from '../../lib/client/call/call.ts'
import { pageNow } from '../../lib/client/time/page-clock.ts'

/** So long after a change of the holder its event may be missing in a history: the recorder's scan may see it later than this page. */
export const recordedWithinMs = 5_000

/**
 * The holder, as far as a history that was read at `readAt` can know of it: after a change that the page saw, once a later history was
 * read. Until then the end of a tenure that was observed would look like one that no read shows. undefined: not known.
 */
export function useSettledHolder(
  holder: string | null | undefined,
  readAt: string | undefined,
): string | null | undefined {
  const [seen, setSeen] = useState<{ holder: string | null; sinceMs: number | null } | null>(null)
  if (holder !== undefined && holder !== seen?.holder)
    // A holder that was there before the page has no change that the history could lack.
    setSeen({ holder, sinceMs: seen === null ? null : serverNow(pageNow()) })
  if (holder === undefined || seen === null || readAt === undefined) return undefined
  return isSettled(seen.sinceMs, Date.parse(readAt)) ? holder : undefined
}

export const isSettled = (sinceMs: number | null, readAtMs: number): boolean =>
  sinceMs === null || readAtMs >= sinceMs + recordedWithinMs

/** So long after a forced release its event may be missing in a history: the console notes it behind its answer. */
const notedWithinMs = 2_000
const againAfterMs = 500
const againMostMs = 8_000

/** When a history that was read at `readAtMs` has to be read again to show what was done at `actedAtMs`; null: it shows that. */
export function readAgainInMs(actedAtMs: number, readAtMs: number): number | null {
  const leftMs = actedAtMs + notedWithinMs - readAtMs
  return leftMs > 0 ? Math.min(leftMs, againAfterMs) : null
}

/**
 * Reads after `inMs`, and again half a second after the end of that read, a second after the next, and so on up to eight: one that
 * failed shows nothing, and another that begins meanwhile would cancel one that is slow. Not while the page is hidden.
 * @returns ends it
 */
export function keepReading(
  inMs: number,
  read: () => Promise<unknown>,
  isHidden = () => document.hidden,
): () => void {
  let isOver = false
  let timer: ReturnType<typeof setTimeout>
  const readIn = (ms: number, nextMs: number) => {
    timer = setTimeout(async () => {
      if (!isHidden()) await read()
      if (!isOver) readIn(nextMs, Math.min(2 * nextMs, againMostMs))
    }, ms)
  }
  readIn(inMs, againAfterMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/**
 * Beside *Killed by ann* the holder of before must not stand as the one of now until the next read of a rhythm.
 * @param actedAt when the last forced release took effect that the page knows of, and `readAt` when the history was read; by the servers' clocks
 */
export function useReadAfterAct(
  actedAt: string | null,
  readAt: string | undefined,
  readAgain: () => Promise<unknown>,
) {
  useEffect(() => {
    if (actedAt === null || readAt === undefined) return
    const inMs = readAgainInMs(Date.parse(actedAt), Date.parse(readAt))
    if (inMs === null) return
    // A read that succeeds brings another `readAt`, and with that another look at what is left.
    return keepReading(inMs, readAgain)
  }, [actedAt, readAt, readAgain])
}
