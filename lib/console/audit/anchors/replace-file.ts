/**
 * Replaces a file as a whole. When a replacement resolves, the file is on the disk. It throws when the disk is full or the
 * directory is gone, and the file is then the one before.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const readySuffix = '.ready'
/** Another process interferes only if it looks in the same fraction of a millisecond. */
const replaceTries = 20

export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = await draftOf(path, text)
  try {
    await rename(/* turbopackIgnore: true */ draft, path)
  } catch (thrown) {
    await rm(/* turbopackIgnore: true */ draft, { force: true })
    throw thrown
  }
}

/**
 * Replaces a file unless `isToStay` says that the present one stays; for processes that share the directory.
 *
 * Guarantees: no other process has replaced the file between the last `isToStay` and the replacement, however long this
 * process stands still in between. There is no lock, which a process that stands still could outlive:
 *
 * 1. Show that a replacement is ready, by the name of its draft.
 * 2. Remove the ready drafts of the others, which cannot be put in place then.
 * 3. Look at the file.
 * 4. Put the draft in place. If another process removed it, begin again.
 *
 * Of two processes, the one that came second to step 1 finds the draft of the other in step 2, or the file that the other put
 * in place in step 3. Assumes that the directory shows each process what the others have done, as that of one machine does.
 */
export async function replaceUnless(path: string, text: string, isToStay: () => boolean): Promise<void> {
  for (let tries = 1; ; tries++) {
    if (isToStay()) return
    const draft = await draftOf(path, text)
    const ready = `${draft}${readySuffix}`
    try {
      // Without a pause: the shorter this is, the fewer drafts are removed.
      renameSync(draft, ready)
      removeReadyBeside(path, ready)
      if (!isToStay()) renameSync(ready, path)
      return
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || tries === replaceTries) throw thrown
    } finally {
      for (const left of [draft, ready]) rmSync(/* turbopackIgnore: true */ left, { force: true })
    }
  }
}

function removeReadyBeside(path: string, own: string): void {
  const [folder, begin] = [dirname(path), `${basename(path)}.`]
  for (const name of readdirSync(/* turbopackIgnore: true */ folder))
    if (name.startsWith(begin) && name.endsWith(readySuffix) && name !== basename(own))
      rmSync(join(/* turbopackIgnore: true */ folder, name), { force: true })
}

/** The text in a file beside, on the disk. */
async function draftOf(path: string, text: string): Promise<string> {
  // Two containers that share the directory can have the same process id.
  const draft = `${path}.${randomUUID()}`
  const file = await open(/* turbopackIgnore: true */ draft, 'wx', 0o600)
  try {
    // Not `write`, which takes what fits on a full disk, without an error.
    await file.writeFile(text)
    await file.datasync()
    return draft
  } catch (thrown) {
    await rm(/* turbopackIgnore: true */ draft, { force: true })
    throw thrown
  } finally {
    await file.close()
  }
}
