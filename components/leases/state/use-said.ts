'use client'

import { useCallback, useEffect, useState } from 'react'
import { copyText } from '../../../lib/client/copy-text.ts'

/** How long it is said what a press did. */
const saidForMs = 3_000

interface Said {
  /** null: there is nothing to say. */
  said: string | null
  say: (text: string) => void
  /** Copies a text by a key, and says so. */
  copy: (text: string, what: string) => void
}

/** What the last press did, for a while. */
export function useSaid(): Said {
  // An object for each press: the same text again is said for as long as the first time.
  const [said, setSaid] = useState<{ text: string } | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), saidForMs)
    return () => clearTimeout(timer)
  }, [said])
  const say = useCallback((text: string) => setSaid({ text }), [])
  const copy = useCallback(
    async (text: string, what: string) => say((await copyText(text)) ?? `Copied ${what}.`),
    [say],
  )
  return { said: said?.text ?? null, say, copy }
}
