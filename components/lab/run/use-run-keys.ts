'use client'

import { useEffect } from 'react'
import type { LabAct } from '../../../lib/contract/lab/run.ts'

interface RunKeys {
  act: (act: LabAct) => void
  /** null: there is no story. */
  story: 'playing' | 'paused' | null
  help: () => void
  present: (on: boolean) => void
  isPresenting: boolean
}

/** The keys of a run, outside of fields. Those of a candidate’s toolbar stand with it. */
export function useRunKeys({ act, story, help, present, isPresenting }: RunKeys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const target = event.target as HTMLElement
      if (target.closest('input, textarea, select, [role=dialog]')) return
      const { key } = event
      if (key === '?') help()
      else if (key === 'f') present(!isPresenting)
      else if (key === 'Escape' && isPresenting) present(false)
      else if (key === 'p' && story !== null)
        act({ act: 'story', do: story === 'playing' ? 'pause' : 'play' })
      else if (key === '.' && story !== null) act({ act: 'story', do: 'step' })
      else if (key === 'j') act({ act: 'join' })
      else if (/^[1-8]$/.test(key))
        document.querySelector<HTMLElement>(`[data-candidate=c${key}] [tabindex="0"]`)?.focus()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}
