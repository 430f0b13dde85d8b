/**
 * The anchors in the data directory: `audit-anchors.jsonl`, for its owner alone.
 *
 * Guarantees: an anchor is on the disk when `keep` resolves. Several processes may share the directory: each append is
 * one write to the end of a file that is opened for it, and begins a line: a crash or a full disk may have cut the line
 * before it, of this process or another.
 * Pruning takes the file away under another name, waits until processes that have just opened it have written, keeps what
 * `pruned` says, with the newest 10,000 of each chain, in `audit-anchors.kept.jsonl`, and removes the file. A process that
 * stood still for longer finds after its write that the name has another file now or none, and writes the anchor again,
 * which may then be there twice. A crash in between leaves files that `verify` reads too, as it reads every
 * `audit-anchors*.jsonl`, and that the next pruning takes in.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Timer } from 'leasehold/time'
import { type Anchor, anchorFilesIn, anchorsIn, pruned } from './anchor.ts'
import { replaceFile } from './replace-file.ts'

export const anchorFileName = 'audit-anchors.jsonl'
const keptFileName = 'audit-anchors.kept.jsonl'
const lingerMs = 1_000
const staleLockMs = 600_000
/** Each but the first follows a pruning, and a pruning takes `lingerMs`. */
const appendTries = 5

export class AnchorFile {
  readonly #dataDir: string
  readonly #timer: Timer
  readonly #keepLast: number
  #sincePruned: number

  constructor(dataDir: string, timer: Timer, keepLast = 10_000) {
    this.#dataDir = dataDir
    this.#timer = timer
    this.#keepLast = keepLast
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    this.#sincePruned = linesAbout(this.#path(anchorFileName))
  }

  /** On the disk when this resolves. @throws when the disk is full, or the directory is gone */
  async keep(anchor: Anchor): Promise<void> {
    for (let tries = 1; !(await this.#append(anchor)); tries++)
      if (tries === appendTries)
        throw new Error(`${this.#path(anchorFileName)} was taken away during each of ${tries} writes.`)
    this.#sincePruned += 1
    if (this.#sincePruned < this.#keepLast) return
    this.#sincePruned = 0
    await this.prune()
  }

  /** @returns false: another process took the file away meanwhile, perhaps before it could read this anchor */
  async #append(anchor: Anchor): Promise<boolean> {
    const file = await open(/* turbopackIgnore: true */ this.#path(anchorFileName), 'a', 0o600)
    try {
      const line = Buffer.from(`\n${JSON.stringify(anchor)}\n`)
      const { bytesWritten } = await file.write(line)
      // The rest would follow what another process has written meanwhile.
      if (bytesWritten < line.length)
        throw new Error(`${bytesWritten} of ${line.length} bytes were written: the disk is full.`)
      await file.datasync()
      // A file has its inode for itself while it is open. One that is taken away later is read after this write.
      const written = await file.stat({ bigint: true })
      const named = statSync(/* turbopackIgnore: true */ this.#path(anchorFileName), {
        bigint: true,
        throwIfNoEntry: false,
      })
      return named !== undefined && named.ino === written.ino && named.dev === written.dev
    } finally {
      await file.close()
    }
  }

  /** The anchors on the disk now, of all anchor files in the data directory. */
  all(): Anchor[] {
    return anchorFilesIn(this.#dataDir).flatMap((file) =>
      anchorsIn(readFileSync(/* turbopackIgnore: true */ file, 'utf8')),
    )
  }

  /** @returns false: another process prunes now */
  async prune(): Promise<boolean> {
    const lock = this.#path('audit-anchors.pruning')
    if (
      existsSync(/* turbopackIgnore: true */ lock) &&
      Date.now() - statSync(/* turbopackIgnore: true */ lock).mtimeMs > staleLockMs
    )
      rmdirSync(lock)
    try {
      mkdirSync(lock)
    } catch {
      return false
    }
    try {
      const current = this.#path(anchorFileName)
      if (existsSync(/* turbopackIgnore: true */ current))
        renameSync(current, this.#path(`audit-anchors.${process.pid}-${Date.now()}.jsonl`))
      await this.#timer.sleep(lingerMs)
      const parts = anchorFilesIn(this.#dataDir).filter((file) => file !== current)
      const anchors = parts.flatMap((file) =>
        anchorsIn(readFileSync(/* turbopackIgnore: true */ file, 'utf8')),
      )
      const order = anchors.toSorted((a, b) => a.at.localeCompare(b.at) || a.seq - b.seq)
      const lines = pruned(order, this.#keepLast).map((anchor) => `${JSON.stringify(anchor)}\n`)
      await replaceFile(this.#path(keptFileName), lines.join(''))
      for (const file of parts) if (file !== this.#path(keptFileName)) rmSync(file)
      return true
    } finally {
      rmdirSync(lock)
    }
  }

  #path(name: string): string {
    return join(/* turbopackIgnore: true */ this.#dataDir, name)
  }
}

const linesAbout = (file: string): number =>
  existsSync(/* turbopackIgnore: true */ file)
    ? Math.floor(statSync(/* turbopackIgnore: true */ file).size / 200)
    : 0
