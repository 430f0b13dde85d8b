import { leafStart, NameText } from '../../ui/text/name-text.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'

/**
 * A name on one line of a row. Names differ in their leaf: where there is too little room, what leads to it is
 * shortened, and the leaf stays whole.
 */
export function RowName({ name }: { name: string }) {
  const at = leafStart(name)
  if (at === 0)
    return (
      <span className="leaf">
        <NameText name={name} />
      </span>
    )
  return (
    <bdi className="seen path">
      <span className="dim lead">
        <SeenText text={name.slice(0, at - 1)} ends={false} />
      </span>
      <span className="leaf">
        <span className="dim">/</span>
        <SeenText text={name.slice(at)} starts={false} />
      </span>
    </bdi>
  )
}
