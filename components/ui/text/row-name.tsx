import { leafStart } from './name-text.tsx'
import { CutText, SeenText } from './seen-text.tsx'

/** Three lines of the narrowest column. */
const leafColumns = 60
/** What leads to the leaf is never shortened to less than these letters and an ellipsis. */
const leadChars = 2

/**
 * A name in a row. Names differ in their leaf: where there is too little room, what leads to it is shortened first. A leaf that is longer
 * than three lines is cut in its middle, and its end stays.
 */
export function RowName({ name }: { name: string }) {
  const at = leafStart(name)
  const leaf = <CutText text={name.slice(at)} most={leafColumns} spaces />
  if (at === 0)
    return (
      <span className="leaf">
        <bdi className="seen">{leaf}</bdi>
      </span>
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
