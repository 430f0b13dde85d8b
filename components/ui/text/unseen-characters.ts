/**
 * Characters of a text that a reader cannot see, or that turn the order of others round: two texts that differ only by
 * them look the same. `\p{Cc}` and the separators cannot be acquired here, but another client may write them.
 */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Default_Ignorable_Code_Point}\u00a0\u2000-\u200a\u202f\u205f\u3000]/u

/** Of scripts whose letters are two columns wide. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u

/** Those that have a sign of their own. */
const signs: Record<string, string> = { '\n': '↵', '\t': '⇥' }

const codePoint = (char: string) => `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

/** How many columns a character takes, with what stands for it if it cannot be seen. A mark on a letter takes none. */
export const columnsOf = (char: string): number =>
  unseen.test(char)
    ? (signs[char] ?? codePoint(char)).length
    : wide.test(char)
      ? 2
      : /\p{M}/u.test(char)
        ? 0
        : 1

/** Each of them once, by its code point. */
export function unseenCharacters(text: string): string[] {
  const found = [...text].filter((char) => unseen.test(char))
  return [...new Set(found)].map(codePoint)
}

/** A piece of a text. `as`: what stands for it, because it cannot be seen. */
export interface TextPart {
  text: string
  as?: string
}

interface PartsOptions {
  /** Line breaks and tabs are shown as what they are. */
  lines?: boolean
  /** Where the text begins and ends: spaces are seen between letters, and not there. Both unless said. */
  starts?: boolean
  ends?: boolean
  /** Each space is marked, wherever it is: of a name that is typed or compared, each letter counts. */
  spaces?: boolean
}

/** A text in pieces, so that those which cannot be seen can be shown as something that can. */
export function textParts(
  text: string,
  { lines = false, starts = true, ends = true, spaces = false }: PartsOptions = {},
): TextPart[] {
  const first = starts ? (text.match(/^ */)?.[0].length ?? 0) : 0
  const last = ends ? text.length - (text.match(/ *$/)?.[0].length ?? 0) : text.length
  const parts: { text: string; mark: string | undefined }[] = []
  let at = 0
  for (const char of text) {
    const mark =
      char === ' '
        ? spaces || at < first || at >= last
          ? '·'
          : undefined
        : lines && (char === '\n' || char === '\t')
          ? undefined
          : unseen.test(char)
            ? (signs[char] ?? codePoint(char))
            : undefined
    at += char.length
    const before = parts.at(-1)
    // A run of the same is one piece: a text of nothing else must not become thousands.
    if (before && before.mark === mark && (mark === undefined || before.text.endsWith(char)))
      before.text += char
    else parts.push({ text: char, mark })
  }
  return parts.map((part) =>
    part.mark === undefined
      ? { text: part.text }
      : { text: part.text, as: shown(part.mark, [...part.text].length) },
  )
}

const shown = (mark: string, times: number) =>
  times === 1 ? mark : mark === '·' && times <= 8 ? mark.repeat(times) : `${mark}×${times}`

/** The same as plain text, for where there is no markup: a page's title. */
export const seenText = (text: string): string =>
  textParts(text)
    .map((part) => part.as ?? part.text)
    .join('')
