'use client'

import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Icon } from '../../ui/control/icon.tsx'
import { SentTexts } from '../address/sent-texts.ts'
import type { UrlPatch } from '../address/use-url-state.ts'

/** Between the last key and the search. */
const debounceMs = 200

export interface SearchFieldProps {
  ref: Ref<HTMLInputElement>
  /** What is searched for, as the URL has it. */
  q: string
  change: (patch: UrlPatch, how?: 'push' | 'replace') => void
  /** To the first row of what is searched for, once it is here; `q` left out: to the row of before. */
  toRows: (q?: string) => void
}

/** The search. The URL follows what is typed, a moment later. */
export function SearchField({ ref, q, change, toRows }: SearchFieldProps) {
  const [text, setText] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => input.current as HTMLInputElement)
  // What one visit to the field searches for is one step back in the history.
  const stepped = useRef(false)
  const [sent] = useState(() => new SentTexts(q))

  useEffect(() => {
    if (sent.isForeign(q)) setText(q)
  }, [sent, q])

  const send = useRef((_text: string) => {})
  useEffect(() => {
    send.current = (wanted) => {
      if (!sent.send(wanted)) return
      change({ q: wanted }, stepped.current ? 'replace' : 'push')
      stepped.current = true
    }
  }, [sent, change])

  useEffect(() => {
    const timer = setTimeout(() => send.current(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])

  const onKeyDown = (event: KeyboardEvent) => {
    const act = (run: () => void) => {
      event.preventDefault()
      run()
    }
    if (event.key === 'Enter' || event.key === 'ArrowDown')
      act(() => {
        send.current(text)
        toRows(text)
      })
    else if (event.key === 'Escape')
      act(() => {
        if (text === '') return toRows()
        setText('')
        send.current('')
      })
  }

  return (
    <div className="search">
      <Icon name="search" />
      <label className="vh" htmlFor="search">
        Search names, owners and values
      </label>
      <input
        ref={input}
        id="search"
        type="search"
        className="in mono"
        placeholder="name, owner or value"
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
        onKeyDown={onKeyDown}
      />
      <kbd>/</kbd>
    </div>
  )
}
