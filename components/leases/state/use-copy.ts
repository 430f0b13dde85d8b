'use client'

import { useCallback, useEffect, useState } from 'react'

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
  const copy = useCallback((text: string, what: string) => {
    navigator.clipboard?.writeText(text).then(
      () => setSaid(`Copied ${what}.`),
      () => setSaid('The browser did not allow copying.'),
    ) ?? setSaid('The browser allows copying on https only.')
  }, [])
  return { said, copy }
}
