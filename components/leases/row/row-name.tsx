import { leafStart, NameText } from '../../ui/text/name-text.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'

/** A path of more letters gives way before the leaf does; one of fewer stays whole. */
const shortPath = 10

/**
 * A name on one line of a row. Names differ in their leaf: where there is too little room, what leads to it is
 * shortened first, down to its beginning, and then the leaf.
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
    <bdi className="seen path" data-long={at - 1 > shortPath || undefined}>
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
