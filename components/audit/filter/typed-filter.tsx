'use client'

import { useEffect, useRef, useState } from 'react'
import { SentTexts } from '../../leases/address/sent-texts.ts'

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
  const [sent] = useState(() => new SentTexts(value))

  useEffect(() => {
    if (sent.isForeign(value)) setText(value)
  }, [sent, value])

  useEffect(() => {
    const timer = setTimeout(() => {
      if (!sent.send(text)) return
      onChange(text, stepped.current ? 'replace' : 'push')
      stepped.current = true
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [sent, text, onChange])

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
