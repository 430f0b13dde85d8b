import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The key that sign-ins under way, device cookies and set-up links are signed with: derived from the configured key of the audit log, so that
 * instances which share that one accept each other's; else one of its own in the data directory.
 */
export function signingKey({
  dataDir,
  auditKey,
}: {
  dataDir: string
  auditKey?: string | undefined
}): Buffer {
  const shared = auditKey === undefined ? null : parseKey(auditKey)
  return shared === null
    ? privateKey(dataDir, 'secret')
    : Buffer.from(hkdfSync('sha256', shared, '', 'leasehold signatures', 32))
}

/** A key of 32 bytes in the data directory, for its owner alone, made at first use. */
export function privateKey(dataDir: string, name: string): Buffer {
  const file = join(/* turbopackIgnore: true */ dataDir, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    // Written whole under another name, then linked: of two instances that start at once, one makes it and both read
    // it, and a crash in between leaves no half of a key.
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 })
    try {
      linkSync(draft, file)
    } finally {
      unlinkSync(draft)
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
  }
  const key = Buffer.from(readFileSync(/* turbopackIgnore: true */ file, 'utf8'), 'base64')
  if (key.length !== 32)
    throw new Error(
      `${file} does not hold a key of 32 bytes; restore it, or move it away, and a new one is made.`,
    )
  return key
}

/** A key as people write it: base64 or hex, 32 bytes or more. @returns null when it is not one */
export function parseKey(text: string): Buffer | null {
  const trimmed = text.trim()
  const isHex = /^(?:[0-9a-f]{2}){32,}$/i.test(trimmed)
  if (!isHex && !/^[A-Za-z0-9+/_-]{43,}={0,2}$/.test(trimmed)) return null
  const key = Buffer.from(trimmed, isHex ? 'hex' : 'base64')
  return key.length >= 32 ? key : null
}
