/** For the documentation's test alone: programs that pages show, run by node as a reader runs them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './doc-blocks.ts'

/** Compiles the package into `node_modules` of the folder of programs, with the packages that it needs beside it. */
export async function installLibrary(directory: string): Promise<void> {
  const packages = join(directory, 'node_modules')
  const library = join(packages, 'leasehold')
  mkdirSync(library, { recursive: true })
  copyFileSync(join(root, 'lib/leasehold/package.json'), join(library, 'package.json'))
  for (const name of ['cassandra-driver', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const outDir = join(library, 'dist')
  await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'lib/leasehold'), '--outDir', outDir])
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export class RunningProgram {
  stdout = ''
  #stderr = ''
  readonly #child: ChildProcess
  readonly #ended: Promise<Ended>
  readonly #watchers = new Set<() => void>()

  constructor(file: string, args: readonly string[]) {
    const child = spawn(process.execPath, [basename(file), ...args], { cwd: dirname(file) })
    child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk
      for (const look of this.#watchers) look()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk
    })
    this.#child = child
    this.#ended = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.#stderr })
        for (const look of this.#watchers) look()
      })
    })
  }

  /** Resolves once the program has printed this. @throws when it ended without */
  async printed(text: string): Promise<void> {
    let found: () => void = () => {}
    const seen = new Promise<void>((resolve) => {
      found = resolve
    })
    const look = () => {
      if (this.stdout.includes(text)) found()
    }
    this.#watchers.add(look)
    look()
    await Promise.race([seen, this.#ended])
    this.#watchers.delete(look)
    if (!this.stdout.includes(text))
      throw new Error(`It ended without printing ${JSON.stringify(text)}:\n${this.stdout}${this.#stderr}`)
  }

  ended(): Promise<Ended> {
    return this.#ended
  }

  stop(): void {
    this.#child.kill('SIGTERM')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
