'use client'

import { useEffect, useRef, useState } from 'react'

/** Between the last key and the search. */
const debounceMs = 300

interface TypedFilterProps {
  id: string
  label: string
  value: string
  maxLength: number
  onChange: (value: string, how: 'push' | 'replace') => void
}

/** A filter that is typed. One visit to the field is one step in the history. */
export function TypedFilter({ id, label, value, maxLength, onChange }: TypedFilterProps) {
  const [text, setText] = useState(value)
  const stepped = useRef(false)
  const sent = useRef(value)

  useEffect(() => {
    if (value === sent.current) return
    // The URL was changed by something else: back, forward, a link, "show all".
    sent.current = value
    setText(value)
  }, [value])

  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text
      onChange(text, stepped.current ? 'replace' : 'push')
      stepped.current = true
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text, onChange])

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        className="in mono"
        value={text}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => {
          stepped.current = false
        }}
      />
    </div>
  )
}
