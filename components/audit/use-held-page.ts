'use client'

import { useCallback, useLayoutEffect, useState } from 'react'
import type { AuditPage } from '../../lib/contract/audit.ts'
import { entryKey } from './entry-key.ts'

interface HeldPage {
  page: AuditPage | undefined
  /** How many entries have come that are not shown yet. */
  waiting: number
  /** Show them now. */
  show: () => void
  holdPointer: (on: boolean) => void
  holdFocus: (on: boolean) => void
}

/**
 * A page of the log that does not move under the pointer or the focus: what comes meanwhile waits, and is counted.
 * @param id which page this is: another one is shown at once
 */
export function useHeldPage(latest: AuditPage | undefined, id: string): HeldPage {
  const [pointer, holdPointer] = useState(false)
  const [focus, holdFocus] = useState(false)
  const [shown, setShown] = useState({ id, page: latest })
  const held = (pointer || focus) && shown.id === id && shown.page !== undefined
  useLayoutEffect(() => {
    if (!held) setShown({ id, page: latest })
  }, [held, id, latest])
  const show = useCallback(() => setShown({ id, page: latest }), [id, latest])
  const page = held ? shown.page : latest
  return { page, waiting: held ? newEntries(shown.page, latest) : 0, show, holdPointer, holdFocus }
}

/** How many entries of `after` are not in `before`. */
export function newEntries(before: AuditPage | undefined, after: AuditPage | undefined): number {
  const known = new Set(before?.entries.map(entryKey))
  return after?.entries.filter((entry) => !known.has(entryKey(entry))).length ?? 0
}
