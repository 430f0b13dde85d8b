/** "operator-1" is O1, "admin" is AD. */
export function initials(username: string): string {
  const [first = '', second = ''] = username.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  // By character: some letters are two code units.
  const [one = '', two = ''] = first
  const [other = two] = second
  return (one + other).toUpperCase()
}
