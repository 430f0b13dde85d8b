/**
 * What binds an entry to the one before it.
 *
 * Guarantees: without the key, no client can make an entry, change one, or move one, so that its hash is right. Does
 * not guarantee that the last entries are still there: that is what the anchors show.
 */
import { createHmac } from 'node:crypto'

/** The link of the very first entry. */
export const genesisHash = '0'.repeat(64)

/**
 * HMAC-SHA256, in hex. The canonical bytes of an entry are those of its body as it is stored, which carries its chain,
 * bucket and sequence number: nothing is serialised a second time, so that no two ways of doing it can differ.
 */
export function entryHash(key: Buffer, prev: string, body: string): string {
  return createHmac('sha256', key).update(`leasehold audit 1\n${prev}\n${body}`).digest('hex')
}

/** Identifies a key without revealing it. */
export function keyIdOf(key: Buffer): string {
  return createHmac('sha256', key).update('leasehold audit key id').digest('hex').slice(0, 12)
}
