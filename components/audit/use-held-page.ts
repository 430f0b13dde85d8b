'use client'

import { useCallback, useLayoutEffect, useState } from 'react'
import type { AuditPage } from '../../lib/contract/audit.ts'
import { entryKey } from './entries/entry-key.ts'

interface HeldPage {
  page: AuditPage | undefined
  /** How many acts are new or have new entries that the page does not show yet. */
  waiting: number
  /** Show them now. */
  show: () => void
  holdPointer: (on: boolean) => void
  holdFocus: (on: boolean) => void
}

/**
 * A page of the log that does not move under the pointer or the focus: what comes meanwhile waits, and is counted.
 * @param id which page this is: another one is shown at once
 * @param isOther `latest` is still another page: it is shown, and not held under this id
 */
export function useHeldPage(latest: AuditPage | undefined, id: string, isOther: boolean): HeldPage {
  const [pointer, holdPointer] = useState(false)
  const [focus, holdFocus] = useState(false)
  const [shown, setShown] = useState({ id, page: latest })
  const isUsed = pointer || focus
  const held = isHeld(shown, id, isUsed)
  useLayoutEffect(() => {
    setShown((before) => kept(before, { id, page: latest, isOther }, isUsed))
  }, [isUsed, isOther, id, latest])
  const show = useCallback(() => setShown({ id, page: latest }), [id, latest])
  const page = held ? shown.page : latest
  return { page, waiting: held ? newActs(shown.page, latest) : 0, show, holdPointer, holdFocus }
}

interface ShownPage {
  id: string
  page: AuditPage | undefined
}

const isHeld = (shown: ShownPage, id: string, isUsed: boolean): boolean =>
  isUsed && shown.id === id && shown.page !== undefined

/** What is shown from now on. Kept under this id, a page of another one would be held, and the answer never seen. */
export function kept(
  shown: ShownPage,
  { id, page, isOther }: ShownPage & { isOther: boolean },
  isUsed: boolean,
): ShownPage {
  return isOther || isHeld(shown, id, isUsed) ? shown : { id, page }
}

/** How many acts have entries in `after` that are not in `before`. */
export function newActs(before: AuditPage | undefined, after: AuditPage | undefined): number {
  const known = new Set(before?.entries.map(entryKey))
  const fresh = after?.entries.filter((entry) => !known.has(entryKey(entry))) ?? []
  return new Set(fresh.map(({ id }) => id)).size
}
