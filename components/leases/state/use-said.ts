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
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), saidForMs)
    return () => clearTimeout(timer)
  }, [said])
  const copy = useCallback(async (text: string, what: string) => {
    setSaid((await copyText(text)) ?? `Copied ${what}.`)
  }, [])
  return { said, say: setSaid, copy }
}
