'use client'

import { useCallback, useMemo, useSyncExternalStore } from 'react'
import {
  type Column,
  hiddenColumns,
  rememberedColumns,
  withColumn,
} from '../../../lib/client/view/columns.ts'
import { useUrlState } from '../address/use-url-state.ts'

/** The columns that the list leaves out, and how to change that. The page's HTML has them all. */
export function useColumns(): {
  hidden: readonly Column[]
  show: (column: Column, isShown: boolean) => void
} {
  const { params, change } = useUrlState()
  const remembered = useSyncExternalStore(rememberedColumns.subscribe, rememberedColumns.read, () => '')
  const param = params.get('hide')
  const hidden = useMemo(() => hiddenColumns(param, remembered), [param, remembered])
  const show = useCallback(
    (column: Column, isShown: boolean) => {
      const patch = (now: URLSearchParams) => {
        const before = hiddenColumns(now.get('hide'), rememberedColumns.read())
        const hide = withColumn(before, column, isShown)
        rememberedColumns.write(hide === 'none' ? '' : hide)
        return { hide }
      }
      // One visit to the menu is no way back of six steps.
      change(patch, 'replace')
    },
    [change],
  )
  return { hidden, show }
}
