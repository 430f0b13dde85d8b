import { leafStart, NameText } from './name-text.tsx'
import { CutText, SeenText } from './seen-text.tsx'

/** Three lines of the narrowest column. */
const leafColumns = 60
/** One line of the list at 1440 pixels, less what leads to the leaf at its shortest. */
const lineColumns = 21
/** What leads to the leaf is never shortened to less than these letters and an ellipsis. */
const leadChars = 2

/**
 * A name in a row. Names differ in their leaf: where there is too little room, what leads to it is shortened first, unless the leaf
 * needs a second line anyway. A leaf that is longer than three lines is cut in its middle, and its end stays.
 * @param isWhole nothing is shortened: another row has the same leaf (`alikeNames`)
 */
export function RowName({ name, isWhole = false }: { name: string; isWhole?: boolean }) {
  const at = leafStart(name)
  if (isWhole && at > 0)
    return (
      <span className="whole">
        <NameText name={name} />
      </span>
    )
  const leaf = <CutText text={name.slice(at)} most={leafColumns} spaces />
  if (at === 0)
    return (
      <span className="leaf">
        <bdi className="seen">{leaf}</bdi>
      </span>
    )
  if (name.length - at > lineColumns && at <= lineColumns)
    return (
      <bdi className="seen whole">
        <span className="dim">
          <SeenText text={name.slice(0, at)} spaces />
        </span>
        {leaf}
      </bdi>
    )
  const lead = [...name.slice(0, at - 1)]
  return (
    <bdi className="seen path">
      <span className="dim lead">
        <span className="stem">
          <SeenText text={lead.slice(0, leadChars).join('')} spaces />
        </span>
        <SeenText text={lead.slice(leadChars).join('')} spaces />
      </span>
      <span className="leaf">
        <span className="dim">/</span>
        {leaf}
      </span>
    </bdi>
  )
}

/** The names that look like another one of these when only their leaves, or the ends of those, are shown. */
export function alikeNames(names: readonly string[]): ReadonlySet<string> {
  const byLook = new Map<string, Set<string>>()
  for (const name of names) {
    const leaf = name.slice(leafStart(name))
    const look =
      leaf.length > leafColumns ? leaf.slice(0, leafColumns / 4) + leaf.slice(-leafColumns / 4) : leaf
    byLook.set(look, (byLook.get(look) ?? new Set()).add(name))
  }
  return new Set([...byLook.values()].flatMap((alike) => (alike.size > 1 ? [...alike] : [])))
}
