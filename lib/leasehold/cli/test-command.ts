/** For integration tests alone: the published form of the command, built once, run as a process of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'

const repository = resolve(import.meta.dirname, '../../..')

interface Finished {
  /** The exit code; null when a signal ended it. */
  code: number | null
  stdout: string
  stderr: string
}

export class BuiltCommand {
  readonly #folder: string
  readonly #env: Record<string, string>
  readonly #running = new Set<number>()

  /** @param env variables in addition to the test's own environment */
  constructor(env: Record<string, string>) {
    this.#env = env
    // Below node_modules, so that the built files find their packages.
    this.#folder = temporaryFolder('.leasehold-cli', join(repository, 'node_modules'))
    writeFileSync(join(this.#folder, 'package.json'), '{"type":"module"}')
    // Type errors do not matter here: the types stage reports them.
    try {
      execFileSync(
        process.execPath,
        [
          join(repository, 'node_modules/typescript/bin/tsc'),
          '-p',
          join(repository, 'lib/leasehold'),
          '--outDir',
          this.#folder,
        ],
        { stdio: 'ignore' },
      )
    } catch {}
  }

  /** The path of the script that Node runs. */
  get script(): string {
    return join(this.#folder, 'cli/leasehold.js')
  }

  /** Starts `leasehold …`. */
  start(
    args: readonly string[],
    { env = {}, input }: { env?: Record<string, string>; input?: string } = {},
  ): {
    pid: number
    finished: Promise<Finished>
    stdout: () => string
    stderr: () => string
    /** Closes the reader's end of the output. */
    closeOutput: () => void
  } {
    const child = spawn(process.execPath, [this.script, ...args], {
      env: { ...process.env, ...this.#env, ...env },
      stdio: 'pipe',
    })
    const pid = child.pid as number
    this.#running.add(pid)
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    // How it ended says more than that it reads no more.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
    const finished = new Promise<Finished>((done) =>
      child.on('close', (code) => {
        this.#running.delete(pid)
        done({ code, stdout, stderr })
      }),
    )
    const closeOutput = () => void child.stdout.destroy()
    return { pid, finished, stdout: () => stdout, stderr: () => stderr, closeOutput }
  }

  run(args: readonly string[], options: { env?: Record<string, string>; input?: string } = {}) {
    return this.start(args, options).finished
  }

  remove(): void {
    // A failed test may leave these running; their watchdogs end the commands.
    for (const pid of this.#running)
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
