'use client'

import type { Ref } from 'react'
import { passwordMinLength } from '../../../lib/contract/people/rights.ts'
import { Field } from '../../ui/control/field.tsx'
import { Segments } from '../../ui/text/segments.tsx'

/** null: one is to be generated when it is needed. */
export type ChosenPassword = string | null

interface PasswordChoiceProps {
  label: string
  value: ChosenPassword
  onChange: (value: ChosenPassword) => void
  problem: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A password for another user: generated or typed. */
export function PasswordChoice({ label, value, onChange, problem, ref }: PasswordChoiceProps) {
  return (
    <div className="field">
      <span className="lab flex items-center justify-between">
        {label}
        <Segments
          label={label}
          options={[
            { value: 'generate', text: 'Generate' },
            { value: 'type', text: 'Type' },
          ]}
          value={value === null ? 'generate' : 'type'}
          onChange={(how) => onChange(how === 'generate' ? null : '')}
        />
      </span>
      {value === null ? (
        <span className="hint">
          This browser generates it and shows it once. Leasehold keeps only its hash.
        </span>
      ) : (
        <Field
          id="password"
          ref={ref}
          label="Password"
          type="password"
          autoComplete="new-password"
          value={value}
          problem={problem}
          hint={problem === undefined && `At least ${passwordMinLength} characters.`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
