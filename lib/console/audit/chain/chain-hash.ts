/**
 * What binds an entry to the one before it.
 *
 * Guarantees: who does not have the key cannot make an entry, change one, or put one elsewhere, so that its hash is
 * right. Does not guarantee that the last entries are still there: that is what the anchors show.
 */
import { createHmac } from 'node:crypto'

/** What stands before the first entry of all. */
export const genesisHash = '0'.repeat(64)

/**
 * HMAC-SHA256, in hex. The canonical bytes of an entry are those of its body as it is stored, which carries its chain,
 * bucket and sequence number: nothing is serialised a second time, so that no two ways of doing it can differ.
 */
export function entryHash(key: Buffer, prev: string, body: string): string {
  return createHmac('sha256', key).update(`leasehold audit 1\n${prev}\n${body}`).digest('hex')
}

/** Names a key, and says nothing about it. */
export function keyIdOf(key: Buffer): string {
  return createHmac('sha256', key).update('leasehold audit key id').digest('hex').slice(0, 12)
}

/** A key as people write it: base64 or hex, 32 bytes or more. @returns null when it is not one */
export function parseKey(text: string): Buffer | null {
  const trimmed = text.trim()
  const isHex = /^(?:[0-9a-f]{2}){32,}$/i.test(trimmed)
  if (!isHex && !/^[A-Za-z0-9+/_-]{43,}={0,2}$/.test(trimmed)) return null
  const key = Buffer.from(trimmed, isHex ? 'hex' : 'base64')
  return key.length >= 32 ? key : null
}
