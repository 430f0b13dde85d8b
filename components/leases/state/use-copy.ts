'use client'

import { useCallback, useEffect, useState } from 'react'
import { copyText } from '../../../lib/client/copy-text.ts'

/** How long it is said that something was copied. */
const saidForMs = 3_000

/** Copies a text by a key, and says so. `said`: null when there is nothing to say. */
export function useCopy(): { said: string | null; copy: (text: string, what: string) => void } {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), saidForMs)
    return () => clearTimeout(timer)
  }, [said])
  const copy = useCallback(async (text: string, what: string) => {
    setSaid((await copyText(text)) ?? `Copied ${what}.`)
  }, [])
  return { said, copy }
}
