'use client'

interface Choice<T extends string> {
  value: T
  title: string
  text: string
}

interface ChoiceCardsProps<T extends string> {
  legend: string
  name: string
  choices: readonly Choice<T>[]
  /** null: nothing is chosen beforehand. */
  value: T | null
  onChange: (value: T) => void
  problem?: string | undefined
}

/** One of a few, each with the sentence that says what it means. */
export function ChoiceCards<T extends string>({
  legend,
  name,
  choices,
  value,
  onChange,
  problem,
}: ChoiceCardsProps<T>) {
  return (
    <fieldset className="choices" aria-describedby={problem ? `${name}-problem` : undefined}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            aria-describedby={`${name}-${choice.value}`}
            onChange={() => onChange(choice.value)}
          />
          <b>{choice.title}</b>
          <span className="mut small" id={`${name}-${choice.value}`}>
            {choice.text}
          </span>
        </label>
      ))}
      {problem && (
        <span className="small text-danger" id={`${name}-problem`} role="alert">
          {problem}
        </span>
      )}
    </fieldset>
  )
}
