/**
 * What the audit keeps of a name that no user has: a user may have typed a password there, and what is in the
 * audit stays for ever. The first character and the length still show an attack, and distinguish most names.
 */
export function maskedName(name: string): string {
  const [first = '', ...rest] = [...name]
  const length = rest.length + (first === '' ? 0 : 1)
  return `${first}… (${length} ${length === 1 ? 'character' : 'characters'})`
}
