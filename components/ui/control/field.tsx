import type { ComponentProps, ReactNode } from 'react'

interface FieldProps extends ComponentProps<'input'> {
  id: string
  label: string
  hint?: ReactNode
  /** What is wrong with it, as a sentence. */
  problem?: string | undefined
  mono?: boolean
  large?: boolean
  /** Stands in the field at its end. */
  mark?: ReactNode
}

/** An input with its label, its hint, and what is wrong with it, tied together for screen readers too. */
export function Field({ id, label, hint, problem, mono, large, mark, ...input }: FieldProps) {
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const className = ['in', mono && 'mono', large && 'lg', problem && 'bad'].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="typed">
        <input
          {...input}
          id={id}
          className={className}
          aria-invalid={problem ? true : undefined}
          aria-describedby={described || undefined}
        />
        {mark}
      </div>
      {problem && (
        <span className="small text-danger" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}
