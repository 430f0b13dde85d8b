'use client'

import { useEffect, useState } from 'react'
import { copyText } from '../../../lib/client/copy-text.ts'

const saidForMs = 2_000

/** What became of the last copy. */
interface Copied {
  /** null: nothing was copied within the last two seconds. */
  copied: boolean | null
  /** The same in words, for the status beside the button. */
  said: string
  /** Answers whether it copied. */
  copy: (text: string) => Promise<boolean>
}

/** @param done what is said of a copy that was made */
export function useCopied(done = 'Copied'): Copied {
  // An object for each press: a second copy is said for as long as the first one.
  const [last, setLast] = useState<{ problem: string | null } | null>(null)
  useEffect(() => {
    if (last === null) return
    const timer = setTimeout(() => setLast(null), saidForMs)
    return () => clearTimeout(timer)
  }, [last])
  const copy = async (text: string) => {
    const problem = await copyText(text)
    setLast({ problem })
    return problem === null
  }
  return {
    copied: last === null ? null : last.problem === null,
    said: last === null ? '' : (last.problem ?? done),
    copy,
  }
}
