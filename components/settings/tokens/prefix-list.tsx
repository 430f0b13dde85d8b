'use client'

import { Field } from '../../ui/control/field.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { ChoiceCards } from '../choice-cards.tsx'

/** Each with a key of its own: their order is theirs, and two may be alike for a moment. */
interface PrefixField {
  key: number
  text: string
}

/** `every`: every name; said by itself, because an empty prefix says it too easily. */
export interface Prefixes {
  every: boolean
  fields: readonly PrefixField[]
}

export const onePrefix: Prefixes = { every: false, fields: [{ key: 0, text: '' }] }

interface PrefixListProps {
  value: Prefixes
  onChange: (value: Prefixes) => void
  /** What is wrong, by the place in the list. */
  problems: Readonly<Record<number, string>>
}

/** The names that a token is good for: those that begin with one of a list, or all of them. */
export function PrefixList({ value, onChange, problems }: PrefixListProps) {
  const { every, fields } = value
  const set = (next: readonly PrefixField[]) => onChange({ every, fields: next })
  const add = () => set([...fields, { key: Math.max(...fields.map(({ key }) => key)) + 1, text: '' }])
  return (
    <>
      <ChoiceCards
        legend="Names"
        name="names"
        choices={[
          { value: 'some', title: 'Names that begin with …', text: 'All other names are refused.' },
          {
            value: 'every',
            title: 'Every name',
            text: 'Including names of other services, and future ones.',
          },
        ]}
        value={every ? 'every' : 'some'}
        onChange={(choice) => onChange({ every: choice === 'every', fields })}
      />
      {!every && (
        <fieldset className="prefixes">
          <legend className="vh">Prefixes</legend>
          {fields.map(({ key, text }, index) => (
            <div key={key} className="prefix">
              <Field
                id={`prefix-${key}`}
                label={`Prefix ${index + 1}`}
                mono
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder="billing/"
                value={text}
                problem={problems[index]}
                onChange={(event) =>
                  set(fields.map((each) => (each.key === key ? { key, text: event.target.value } : each)))
                }
              />
              {fields.length > 1 && (
                <button
                  type="button"
                  className="btn quiet sq"
                  aria-label={`Remove prefix ${index + 1}`}
                  title={`Remove prefix ${index + 1}`}
                  onClick={() => set(fields.filter((each) => each.key !== key))}
                >
                  <Icon name="cross" />
                </button>
              )}
            </div>
          ))}
          {fields.length < 50 && (
            <button type="button" className="btn sm" onClick={add}>
              <Icon name="plus" />
              Add a prefix
            </button>
          )}
        </fieldset>
      )}
    </>
  )
}
