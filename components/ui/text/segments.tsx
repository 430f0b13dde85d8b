'use client'

interface SegmentsProps<T extends string> {
  label: string
  options: readonly { value: T; text: string }[]
  value: T
  onChange: (value: T) => void
}

/** One of a few, all of them in sight. */
export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a layout of its own that a strip cannot hold
    <span className="seg" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </button>
      ))}
    </span>
  )
}
