/** For integration tests alone: programs of this folder, compiled once, each run as a process of its own. */
import { execFile, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import { testContactPoint, testCredentials } from './node-session.ts'
import type { Connection } from './program.ts'

const library = resolve(import.meta.dirname, '..')
const repository = resolve(library, '../..')

/** What a process says: lines of JSON, each with the name of what has happened. */
interface Said {
  readonly said: string
  readonly [key: string]: unknown
}

interface Ended {
  /** null: a signal ended it. */
  readonly code: number | null
  readonly stderr: string
}

class RunningProgram {
  readonly pid: number
  readonly ended: Promise<Ended>
  readonly #lines: Said[] = []
  readonly #waiting = new Set<() => void>()
  readonly #child
  #isOver = false
  #stderr = ''

  constructor(file: string, settings: object) {
    this.#child = spawn(process.execPath, [file, JSON.stringify(settings)], { stdio: 'pipe' })
    this.pid = this.#child.pid as number
    // How it ended says more than that it reads no more.
    this.#child.stdin.on('error', () => {})
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#lines.push(JSON.parse(line))
      this.#wake()
    })
    this.ended = new Promise((done) =>
      this.#child.on('close', (code) => {
        this.#isOver = true
        this.#wake()
        done({ code, stderr: this.#stderr })
      }),
    )
  }

  /** Resolves with the first line that says this. @throws when the process ends without it */
  async says(what: string): Promise<Said> {
    for (;;) {
      const line = this.#lines.find(({ said }) => said === what)
      if (line !== undefined) return line
      if (this.#isOver)
        throw new Error(
          `The process ended before it said ${what}: ${JSON.stringify(this.#lines)} ${this.#stderr}`,
        )
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }

  /** Ends the program's next `await told()`. */
  tell(): void {
    this.#child.stdin.write('go\n')
  }

  /** How it ends by itself; code null: it did not within this time, and was killed. */
  async endsWithin(ms: number): Promise<Ended> {
    const late = setTimeout(() => this.kill(), ms)
    const ended = await this.ended
    clearTimeout(late)
    return ended
  }

  kill(): void {
    if (!this.#isOver) this.#child.kill('SIGKILL')
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}

export class Programs {
  readonly #folder: string
  readonly #running = new Set<RunningProgram>()

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** @param files paths of programs @throws when one does not compile */
  static async compile(...files: string[]): Promise<Programs> {
    // Below node_modules, so that the built files find their packages.
    const programs = new Programs(temporaryFolder('.leasehold-programs', join(repository, 'node_modules')))
    writeFileSync(join(programs.#folder, 'package.json'), '{ "type": "module" }')
    const config = {
      extends: join(library, 'tsconfig.json'),
      compilerOptions: {
        declaration: false,
        rootDir: library,
        outDir: programs.#folder,
        typeRoots: [join(repository, 'node_modules/@types')],
      },
      files,
      include: [],
      exclude: [],
    }
    writeFileSync(join(programs.#folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(repository, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [tsc, '-p', programs.#folder, '--pretty', 'false'], {
      cwd: repository,
    }).catch((failed) => {
      programs.remove()
      throw new Error(`The programs do not compile:\n${failed.stdout}`)
    })
    return programs
  }

  /** Starts a program; it reads `settings` with `settings()` of `program.ts`. */
  start(file: string, settings: object): RunningProgram {
    const compiled = join(this.#folder, relative(library, file).replace(/\.ts$/, '.js'))
    const program = new RunningProgram(compiled, settings)
    this.#running.add(program)
    void program.ended.then(() => this.#running.delete(program))
    return program
  }

  remove(): void {
    for (const program of this.#running) program.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** How a program reaches the node of this run. */
export const testConnection = (keyspace: string, contactPoint = testContactPoint()): Connection => ({
  contactPoints: [contactPoint],
  localDataCenter: 'datacenter1',
  keyspace,
  ...testCredentials(),
})
