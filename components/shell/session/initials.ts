/** "operator-1" is O1, "admin" is AD. */
export function initials(username: string): string {
  const [first = '', second = ''] = username.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return (second ? first.slice(0, 1) + second.slice(0, 1) : first.slice(0, 2)).toUpperCase()
}
