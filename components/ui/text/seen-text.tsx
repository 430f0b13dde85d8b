import { cutMiddle } from './cut-middle.ts'
import { type TextPart, textParts } from './unseen-characters.ts'

/** They would turn round or break the line that they stand in. */
const unruly = /[\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}]/u

/**
 * A text letter for letter, in which what cannot be seen has a mark of its own. The mark is drawn by CSS, so that what
 * is copied is the text itself; only what would turn round or break the line is left out.
 */
export function SeenText({ text, ...options }: { text: string } & Parameters<typeof textParts>[1]) {
  return textParts(text, options).map((part, index) => <Part key={`${index} ${part.text}`} {...part} />)
}

/** The same of a text that is cut in its middle where it is wider than `most` columns. What is left out is copied with it. */
export function CutText({ text, most, ...options }: { most: number } & Parameters<typeof SeenText>[0]) {
  const cut = cutMiddle(text, most)
  if (cut === null) return <SeenText text={text} {...options} />
  return (
    <>
      <SeenText text={cut.start} {...options} ends={false} />
      <span className="between">
        <span>{[...cut.between].filter((char) => !unruly.test(char)).join('')}</span>
      </span>
      <SeenText text={cut.end} {...options} starts={false} />
    </>
  )
}

function Part({ text, as }: TextPart) {
  if (as === undefined) return text
  return (
    <span className="unseen" data-as={as}>
      {unruly.test(text) ? '' : text}
    </span>
  )
}
