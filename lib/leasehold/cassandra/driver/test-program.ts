/** For integration tests alone: programs that use the library as it is built, each in a process of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'

const repository = resolve(import.meta.dirname, '../../../..')

interface RunningProgram {
  /** Resolves when the program has printed this line. */
  printed(line: string): Promise<void>
  /** Ends the program's `await told()`. */
  tell(): void
  /** How the program ended. `code` null: the test had to kill it, `withinMs` after the line `closed`. */
  ended(withinMs: number): Promise<{ code: number | null; afterClosedMs: number; stderr: string }>
}

export class Programs {
  readonly #folder: string
  #count = 0

  constructor() {
    // Below node_modules, so that the built files find their packages.
    this.#folder = temporaryFolder('.leasehold-programs', join(repository, 'node_modules'))
    writeFileSync(join(this.#folder, 'package.json'), '{"type":"module"}')
    const tsc = join(repository, 'node_modules/typescript/bin/tsc')
    // Type errors do not matter here: the types stage reports them. Without that check it is sooner ready.
    try {
      execFileSync(
        process.execPath,
        [
          tsc,
          '-p',
          join(repository, 'lib/leasehold'),
          '--outDir',
          this.#folder,
          '--noCheck',
          '--declaration',
          'false',
        ],
        {
          stdio: 'ignore',
        },
      )
    } catch {}
  }

  /** @param code the body of a module, with `connect`, `connected` (as often as it takes), `cassandra` (the driver), `pause(ms)` and `told()` */
  start(code: string): RunningProgram {
    const file = join(this.#folder, `program-${++this.#count}.mjs`)
    writeFileSync(
      file,
      `import cassandra from 'cassandra-driver'
      import { connect } from './cassandra/index.js'
      // The driver gives up a connection that a busy machine has not opened after 3 s.
      const connected = async (options) => {
        for (let tries = 1; ; tries++)
          try {
            return await connect(options)
          } catch (thrown) {
            if (tries === 10 || thrown.code !== 'store-unavailable') throw thrown
          }
      }
      const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      const told = () => new Promise((resolve) => process.stdin.once('data', () => { process.stdin.destroy(); resolve() }))
      ${code}`,
    )
    const child = spawn(process.execPath, [file], { stdio: 'pipe' })
    // How it ended says more than that it reads no more.
    child.stdin.on('error', () => {})
    let stdout = ''
    let stderr = ''
    let closedAtMs = Number.NaN
    let news: () => void = () => {}
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (Number.isNaN(closedAtMs) && has('closed')) closedAtMs = performance.now()
      news()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const has = (line: string) => stdout.split('\n').includes(line)
    const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
    const gone = exited.then(() => {
      throw new Error(`The program ended early: ${stdout}${stderr}`)
    })
    gone.catch(() => {})
    const printed = async (line: string) => {
      while (!has(line))
        await Promise.race([
          new Promise<void>((resolve) => {
            news = resolve
          }),
          gone,
        ])
    }
    return {
      printed,
      tell: () => void child.stdin.write('go\n'),
      ended: async (withinMs) => {
        await printed('closed').catch(() => {})
        const late = setTimeout(() => child.kill('SIGKILL'), withinMs)
        const code = await exited
        clearTimeout(late)
        return { code, afterClosedMs: performance.now() - closedAtMs, stderr }
      },
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
