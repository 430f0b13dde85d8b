import { textParts, unseenCharacters } from '../../ui/text/unseen-characters.ts'

/**
 * What a reader cannot see of a name that is to be typed, as a sentence. `pasted`: it cannot be typed at all.
 * null: all of it can be seen.
 */
export function unseenHint(name: string): { text: string; pasted: boolean } | null {
  const found = unseenCharacters(name)
  if (found.length > 0)
    return { text: `It has characters that cannot be seen: ${found.join(', ')}.`, pasted: true }
  if (/^ +$/.test(name))
    return {
      text: name.length === 1 ? 'It is one space, shown as ·' : `It is ${name.length} spaces, shown as ·`,
      pasted: false,
    }
  return textParts(name).some(({ as }) => as !== undefined)
    ? { text: 'It begins or ends with spaces, shown as ·', pasted: false }
    : null
}
