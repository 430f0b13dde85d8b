/**
 * The row versions that this installation knows, and the entry of the chain up to which it knows them: one file of each
 * keyspace in the data directory, beside the anchors.
 *
 * Guarantees: `read` gives what a holder of the audit key wrote for this keyspace, whole, or null. The file is replaced
 * as a whole, and only its owner can read it. A later place is not replaced by an earlier one, also where several processes
 * share the directory (replace-file.ts).
 * Does not guarantee: that it is the newest one. An older copy that is put back is shown by its place: what came since is
 * read from the chain, and where the chain is damaged, the anchors tell that entries are missing (stored-audit-log.ts).
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { rowVersionSchema } from '../../../contract/audit.ts'
import type { RowVersion } from '../../store/row-versions.ts'
import { isBefore, type Seen } from '../chain/end/seen.ts'
import type { AuditKey } from './audit-key.ts'
import { replaceUnless } from './replace-file.ts'

export interface KeptVersions {
  /** The last entry of the main chain that was followed. */
  at: Seen
  /** The versions that entries up to it name, and perhaps later ones. */
  rows: RowVersion[]
}

const bodySchema = z.object({
  v: z.literal(1),
  keyspace: z.string(),
  at: z.object({ bucket: z.string(), seq: z.number().int().min(0), hash: z.string() }),
  rows: z.array(rowVersionSchema),
})

export const versionsFileName = (keyspace: string): string => `audit-versions.${keyspace}.json`

export class VersionsFile {
  readonly #file: string
  readonly #keyspace: string
  readonly #key: Buffer

  /** @param key the audit key; that of the file is derived from it, so that no entry and no seal can be taken for a file */
  constructor(dataDir: string, keyspace: string, key: AuditKey) {
    this.#file = join(/* turbopackIgnore: true */ dataDir, versionsFileName(keyspace))
    this.#keyspace = keyspace
    this.#key = Buffer.from(hkdfSync('sha256', key.bytes, '', 'leasehold kept row versions', 32))
  }

  /** null: there is no file, or none of this key and this keyspace. */
  read(): KeptVersions | null {
    if (!existsSync(/* turbopackIgnore: true */ this.#file)) return null
    const [body = '', mac = ''] = readFileSync(/* turbopackIgnore: true */ this.#file, 'utf8').split('\n')
    const [given, right] = [Buffer.from(mac, 'base64url'), this.#mac(body)]
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null
    const { data } = bodySchema.safeParse(JSON.parse(body))
    return data?.keyspace === this.#keyspace ? { at: data.at, rows: data.rows } : null
  }

  /** On the disk when this resolves. @throws when the disk is full, or the directory is gone: the file before stands */
  async write({ at, rows }: KeptVersions): Promise<void> {
    const body = JSON.stringify({ v: 1, keyspace: this.#keyspace, at, rows })
    await replaceUnless(this.#file, `${body}\n${this.#mac(body).toString('base64url')}\n`, () => {
      const there = this.read()
      // Another process of this data directory may have followed further.
      return there !== null && isBefore(at, there.at)
    })
  }

  #mac(body: string): Buffer {
    return createHmac('sha256', this.#key).update(`leasehold kept row versions 1\n${body}`).digest()
  }
}
