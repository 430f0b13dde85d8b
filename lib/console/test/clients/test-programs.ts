/** For tests alone: the programs of docs/clients, taken out of the pages, and how their readers start them. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { blocksOfPage, filesIn, root } from '../../../leasehold/test/documentation/doc-blocks.ts'

interface Program {
  command: string[]
  /** What a reader does once, in the folder of the programs. */
  compile?: string[]
}
export type Language = Program & { name: string }

export const interpreted: Language[] = [
  { name: 'curl', command: ['bash', 'worker.sh'] },
  { name: 'Python', command: ['python3', 'worker.py'] },
  // The options shorten the start alone: a reader needs none.
  { name: 'Java', command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', 'Worker.java'] },
]
export const go: Language = {
  name: 'Go',
  command: ['./worker'],
  compile: ['go', 'build', '-o', 'worker', 'worker.go'],
}

export const clientBlocks = (page: string) => blocksOfPage(page, readFileSync(join(root, page), 'utf8'))

export function writePrograms(directory: string): void {
  for (const page of filesIn('docs/clients', /\.md$/))
    for (const { code } of clientBlocks(page)) {
      const name = /^(?:#!.*\n)?(?:#|\/\/) (\w+\.(?:sh|py|java|go)):/.exec(code)?.[1]
      if (name !== undefined) writeFileSync(join(directory, name), `${code}\n`)
    }
}

/** @returns the command, once it can be run */
export async function compiled({ command, compile = [] }: Program, directory: string): Promise<string[]> {
  const [compiler, ...args] = compile
  if (compiler !== undefined) await promisify(execFile)(compiler, args, { cwd: directory })
  return command
}
