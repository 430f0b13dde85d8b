'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { Answer } from '../../lib/client/call/call.ts'
import { putAnswer } from '../../lib/client/call/put-answer.ts'
import { keys, sessionQuery } from '../../lib/client/call/queries.ts'
import { pageNow } from '../../lib/client/time/page-clock.ts'
import { onTick } from '../../lib/client/time/ticker.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { elevationEndMs } from './elevation-end.ts'

type SessionAnswer = Answer<'getSession'>

interface Elevation {
  /** False until the server has said who is signed in. */
  isKnown: boolean
  /** By this page's steady clock; the server decides by its own. */
  isElevated: boolean
  /** The instant as the server said it; null: not elevated. */
  elevatedUntil: string | null
  /** What is left at a moment of the page's clock, in milliseconds, never below 0. Give it to a `<Ticking>`. */
  remaining: (nowMs: number) => number
}

/** Asks again ten times a second: a button that needs the elevation locks when it ends. */
const onTickChange = (changed: () => void) =>
  onTick(() => {
    changed()
    return 'tenths'
  })

/** Whether the person who is signed in is elevated, and for how much longer. Renders when that begins and ends, no more. */
export function useElevation(): Elevation {
  const { data } = useQuery(sessionQuery)
  const endsAtMs = data === undefined ? null : elevationEndMs(data)
  const isElevated = useSyncExternalStore(
    onTickChange,
    () => endsAtMs !== null && pageNow() < endsAtMs,
    () => false,
  )
  const remaining = useCallback(
    (nowMs: number) => (endsAtMs === null ? 0 : Math.max(0, endsAtMs - nowMs)),
    [endsAtMs],
  )
  return {
    isKnown: data !== undefined,
    isElevated,
    elevatedUntil: isElevated ? (data?.data.elevatedUntil ?? null) : null,
    remaining,
  }
}

/**
 * Until when the reader is elevated, as the server said it; null: not elevated. Until the session has been read, as the server
 * knew it when it made the page.
 */
export function useElevatedUntil(): string | null {
  const { isKnown, elevatedUntil } = useElevation()
  const session = useSession()
  return isKnown ? elevatedUntil : session.elevatedUntil
}

/** Puts the session that a call answered with in the place of the known one, for all components of the page. */
export function useSessionAnswer(): (answer: SessionAnswer) => void {
  const client = useQueryClient()
  return useCallback((answer) => putAnswer(client, keys.session, answer), [client])
}
