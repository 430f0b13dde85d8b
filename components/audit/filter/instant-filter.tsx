'use client'

import { useState } from 'react'
import type { Zone } from '../../../lib/client/time/time-text.ts'
import { fieldOfInstant, instantOfField } from './audit-filter.ts'

interface InstantFilterProps {
  id: string
  label: string
  value: string | undefined
  zone: Zone
  onChange: (instant: string | undefined) => void
}

/**
 * A filter by time, typed as the console writes times, which no browser's own field does. Takes effect when it is
 * left, or with Enter. Another value from outside is another field: give it a key.
 */
export function InstantFilter({ id, label, value, zone, onChange }: InstantFilterProps) {
  const [text, setText] = useState(fieldOfInstant(value, zone))
  const [bad, setBad] = useState(false)
  const apply = () => {
    const instant = instantOfField(text, zone)
    setBad(instant === undefined && text.trim() !== '')
    if (instant !== value && (instant !== undefined || text.trim() === '')) onChange(instant)
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        className={bad ? 'in mono bad' : 'in mono'}
        placeholder="2026-11-21 14:00"
        value={text}
        maxLength={25}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={bad || undefined}
        aria-describedby={bad ? `${id}-problem` : undefined}
        onChange={(event) => {
          setText(event.target.value)
          setBad(false)
        }}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
      {bad && (
        <span className="small text-danger" id={`${id}-problem`} role="alert">
          Write the time as 2026-11-21 14:00.
        </span>
      )}
    </div>
  )
}
