import type { ReactNode } from 'react'
import { SeenText } from '../ui/text/seen-text.tsx'

/** One line of a list of facts. */
export function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** As the log has it, letter for letter. */
export function MonoText({ text }: { text: string | null }) {
  if (text === null) return <span className="dim">–</span>
  return (
    <span className="mono break-all">
      <SeenText text={text} />
    </span>
  )
}
