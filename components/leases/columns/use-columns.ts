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
      const hide = withColumn(hidden, column, isShown)
      rememberedColumns.write(hide === 'none' ? '' : hide)
      // One visit to the menu is no way back of six steps.
      change({ hide }, 'replace')
    },
    [hidden, change],
  )
  return { hidden, show }
}
