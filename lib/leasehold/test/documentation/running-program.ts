/** For the documentation's tests alone: programs that pages show, run as a reader runs them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
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

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

interface ProgramPlace {
  cwd: string
  env?: NodeJS.ProcessEnv
}

export class RunningProgram {
  stdout = ''
  #stderr = ''
  readonly #child: ChildProcess
  readonly #ended: Promise<Ended>
  readonly #watchers = new Set<() => void>()

  constructor([program = '', ...args]: readonly string[], { cwd, env = process.env }: ProgramPlace) {
    // A group of its own: a signal reaches what the program has started too.
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    child.on('error', (error) => {
      this.#stderr += error.message
    })
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

  /** Calls `look` whenever it has printed something. */
  onOutput(look: () => void): void {
    this.#watchers.add(look)
  }

  ended(): Promise<Ended> {
    return this.#ended
  }

  stop(): void {
    this.signal('SIGTERM')
  }

  kill(): void {
    this.signal('SIGKILL')
  }

  /** To the program, and to all that it has started; to none when it has ended. */
  signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal)
  }
}
