import { SeenText } from './seen-text.tsx'

/** Where a name's last part begins: after its last slash, unless nothing follows that. */
export function leafStart(name: string): number {
  const end = name.replace(/\/+$/, '').length
  return end === 0 ? 0 : name.lastIndexOf('/', end - 1) + 1
}

/** A lease's name, letter for letter: what leads to it dim, its last part in ink. Always text, never markup. */
export function NameText({ name }: { name: string }) {
  const at = leafStart(name)
  return (
    <bdi className="seen">
      {at > 0 && (
        <span className="dim">
          <SeenText text={name.slice(0, at)} spaces />
        </span>
      )}
      <SeenText text={name.slice(at)} spaces />
    </bdi>
  )
}
