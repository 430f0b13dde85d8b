import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/**
 * Replaces a file as a whole; on the disk when this resolves. @throws when the disk is full, or the directory is gone: the
 * file is then the one before
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  // Two containers that share the directory can have the same process id.
  const draft = `${path}.${randomUUID()}`
  const file = await open(/* turbopackIgnore: true */ draft, 'wx', 0o600)
  try {
    // Not `write`, which takes what fits on a full disk, without an error.
    await file.writeFile(text)
    await file.datasync()
    await rename(/* turbopackIgnore: true */ draft, path)
  } catch (thrown) {
    await rm(/* turbopackIgnore: true */ draft, { force: true })
    throw thrown
  } finally {
    await file.close()
  }
}
