'use client'

import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { PageOfLeases } from '../../lib/client/queries.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { may } from '../shell/may.ts'
import { useSession } from '../shell/session-context.tsx'
import { Icon } from '../ui/icon.tsx'
import { LockedButton } from '../ui/locked-button.tsx'
import { TableSwitch } from './table-switch.tsx'
import type { UrlPatch } from './use-url-state.ts'

/** Between the last key and the search. */
const debounceMs = 200

interface ListHeadProps {
  ref: Ref<HTMLInputElement>
  page: PageOfLeases
  lock: string | null
  change: (patch: UrlPatch, how?: 'push' | 'replace') => void
}

export function ListHead({ ref, page, lock, change }: ListHeadProps) {
  return (
    <div className="head">
      <h1>Leases</h1>
      <TableSwitch table={page.table} change={change} />
      <div className="push">
        <Search ref={ref} prefix={page.prefix} change={change} />
        {may(useSession(), endpoints.putLock) && (
          <LockedButton className="btn" icon="plus" lock={lock} onClick={() => change({ new: '1' })}>
            New lease
          </LockedButton>
        )}
      </div>
    </div>
  )
}

function Search({
  ref,
  prefix,
  change,
}: {
  ref: Ref<HTMLInputElement>
  prefix: string
  change: ListHeadProps['change']
}) {
  const [text, setText] = useState(prefix)
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => input.current as HTMLInputElement)
  // What one visit to the field searches for is one step back in the history.
  const stepped = useRef(false)
  const sent = useRef(prefix)

  useEffect(() => {
    if (prefix === sent.current) return
    // The URL was changed by something else: back, forward, "show all".
    sent.current = prefix
    setText(prefix)
  }, [prefix])

  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      change({ prefix: text, cursor: undefined, page: undefined }, stepped.current ? 'replace' : 'push')
      stepped.current = true
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text, change])

  return (
    <div className="search">
      <Icon name="search" />
      <label className="vh" htmlFor="search">
        Filter by name prefix
      </label>
      <input
        ref={input}
        id="search"
        type="search"
        className="in mono"
        placeholder="name prefix"
        value={text}
        maxLength={512}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-keyshortcuts="/"
        onChange={(event) => setText(event.target.value)}
        onBlur={() => {
          stepped.current = false
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (text === '') event.currentTarget.blur()
          else setText('')
        }}
      />
      <kbd>/</kbd>
    </div>
  )
}
