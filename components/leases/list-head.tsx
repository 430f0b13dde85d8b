'use client'

import type { Ref } from 'react'
import type { PageOfLeases } from '../../lib/client/queries.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { may } from '../shell/may.ts'
import { useSession } from '../shell/session-context.tsx'
import { LockedButton } from '../ui/locked-button.tsx'
import { SearchField, type SearchFieldProps } from './search-field.tsx'
import { TableSwitch } from './table-switch.tsx'
import type { UrlPatch } from './use-url-state.ts'

interface ListHeadProps {
  ref: Ref<HTMLInputElement>
  page: PageOfLeases
  lock: string | null
  change: (patch: UrlPatch, how?: 'push' | 'replace') => void
  toRows: SearchFieldProps['toRows']
}

export function ListHead({ ref, page, lock, change, toRows }: ListHeadProps) {
  return (
    <div className="head">
      <h1>Leases</h1>
      <TableSwitch table={page.table} change={change} />
      <div className="push">
        <SearchField ref={ref} prefix={page.prefix} change={change} toRows={toRows} />
        {may(useSession(), endpoints.putLock) && (
          <LockedButton className="btn" icon="plus" lock={lock} onClick={() => change({ new: '1' })}>
            New lease
          </LockedButton>
        )}
      </div>
    </div>
  )
}
