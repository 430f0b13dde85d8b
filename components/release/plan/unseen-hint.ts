import { unseenCharacters } from '../../ui/text/unseen-characters.ts'

/**
 * What a reader cannot see of a name that is to be typed, as a sentence. `pasted`: it cannot be typed at all.
 * null: all of it can be seen.
 */
export function unseenHint(name: string): { text: string; pasted: boolean } | null {
  const characters = charactersHint(name)
  if (characters !== null) return { text: characters, pasted: true }
  const spaces = edgeSpaces(name) ?? innerSpaces(name)
  return spaces === null ? null : { text: `It ${spaces}, shown as ·`, pasted: false }
}

/** The same of a name that is being typed, in a field that marks nothing. Spaces between letters are seen there. */
export function typedHint(name: string): string | null {
  const characters = charactersHint(name)
  if (characters !== null) return characters
  const spaces = edgeSpaces(name)
  if (spaces === null) return null
  const rest = name.trim()
  return rest === '' ? `It ${spaces}.` : `It ${spaces}: “${rest}” is another lease.`
}

function charactersHint(name: string): string | null {
  const found = unseenCharacters(name)
  return found.length === 0 ? null : `It has characters that cannot be seen: ${found.join(', ')}.`
}

function edgeSpaces(name: string): string | null {
  const first = name.length - name.trimStart().length
  const last = name.length - name.trimEnd().length
  if (first === 0 && last === 0) return null
  if (first === name.length) return `is ${counted(first)}`
  if (first > 0 && last > 0) return `begins with ${counted(first)} and ends with ${counted(last)}`
  return first > 0 ? `begins with ${counted(first)}` : `ends with ${counted(last)}`
}

function innerSpaces(name: string): string | null {
  const count = name.split(' ').length - 1
  return count === 0 ? null : `has ${counted(count)}`
}

const counted = (spaces: number): string => (spaces === 1 ? 'a space' : `${spaces} spaces`)
