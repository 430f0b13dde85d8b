import { SeenText } from './seen-text.tsx'

/** Code as text, with the little colour that helps reading. A tokeniser of three kinds; never markup from outside. */
const token =
  /('(?:[^']|'')*'|"(?:[^"\\]|\\.)*")|((?:\/\/|#|--) .*$)|\b([A-Z]{2,}|import|from|const|await|async|new|if|curl)\b/gm

export function Code({ text }: { text: string }) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(token)) {
    parts.push(text.slice(end, match.index))
    const kind = match[1] ? 'st' : match[2] ? 'cm' : 'kw'
    parts.push(
      <span key={match.index} className={kind}>
        <SeenText text={match[0]} lines />
      </span>,
    )
    end = match.index + match[0].length
  }
  parts.push(text.slice(end))
  return <>{parts}</>
}
