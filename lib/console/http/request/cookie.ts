/**
 * `__Host-` binds the cookie to this origin, which browsers allow over https alone. They do not tell ports apart: two
 * consoles on one host would sign each other out, if the name did not.
 */
export const cookieName = ({ protocol, port }: URL) =>
  protocol === 'https:' ? `__Host-leasehold${port && `-${port}`}` : `leasehold${port && `-${port}`}`

/** The session id in a Cookie header, if there is one. */
export function sessionIdIn(header: string | null | undefined, publicUrl: URL): string | null {
  const prefix = `${cookieName(publicUrl)}=`
  const pair = header?.split(/;\s*/).find((part) => part.startsWith(prefix))
  return pair?.slice(prefix.length) || null
}

const attributes = (publicUrl: URL) =>
  // Lax: a link to a lease, pasted into an incident channel, opens signed in. Unsafe methods are checked by origin.
  `Path=/; HttpOnly; SameSite=Lax${publicUrl.protocol === 'https:' ? '; Secure' : ''}`

/** @param maxAgeSeconds until the session ends at the latest; before, Cassandra says whether it has ended */
export const sessionCookie = (id: string, publicUrl: URL, maxAgeSeconds: number): string =>
  `${cookieName(publicUrl)}=${id}; ${attributes(publicUrl)}; Max-Age=${maxAgeSeconds}`

export const endedCookie = (publicUrl: URL): string =>
  `${cookieName(publicUrl)}=; ${attributes(publicUrl)}; Max-Age=0`
