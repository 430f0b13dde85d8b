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
  const [problem, setProblem] = useState<string | null>()
  useEffect(() => {
    if (problem === undefined) return
    const timer = setTimeout(() => setProblem(undefined), saidForMs)
    return () => clearTimeout(timer)
  }, [problem])
  const copy = async (text: string) => {
    const found = await copyText(text)
    setProblem(found)
    return found === null
  }
  return {
    copied: problem === undefined ? null : problem === null,
    said: problem === undefined ? '' : (problem ?? done),
    copy,
  }
}
