/** A watchdog that starts the command, and reports nothing of it: it was killed or stopped in between. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { isAlive, sessionOf } from './process-session.ts'
import { machineClock } from './system-clock.ts'
import { WatchedCommand } from './watched-command.ts'

const folder = temporaryFolder('leasehold-watched')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @param end what the watchdog does to itself once the command has written its process number */
function watchdogThat(end: NodeJS.Signals): string {
  const file = join(folder, `${end}.mjs`)
  writeFileSync(
    file,
    `import { spawn } from 'node:child_process'
    import { existsSync } from 'node:fs'
    import { Socket } from 'node:net'
    const parent = new Socket({ fd: 3, readable: true, writable: true })
    parent.write('{"kind":"ready"}\\n')
    parent.setEncoding('utf8').once('data', (text) => {
      const { command: [file, ...args], env } = JSON.parse(text)
      spawn(file, args, { detached: true, stdio: 'ignore', env })
      while (!existsSync(args.at(-1)));
      process.kill(process.pid, '${end}')
    })`,
  )
  return file
}

it.runIf(process.platform === 'linux').each(['SIGSTOP', 'SIGKILL'] as const)(
  'a command that the watchdog could not report, because of %s, is gone before the limit',
  async (end) => {
    const pidFile = join(folder, `${end}.pid`)
    const watched = new WatchedCommand(watchdogThat(end))
    await watched.ready
    const script = `trap '' TERM; echo $$ > ${pidFile}.new; mv ${pidFile}.new $0; while :; do sleep 0.05; done`
    const limits = { from: machineClock.now(), termAfterMs: 2_000, killAfterMs: 3_000 }
    const ending = await watched.run(
      ['sh', '-c', script, pidFile],
      { PATH: process.env.PATH ?? '' },
      limits,
      500,
      () => {},
    )
    expect(ending).toEqual({ kind: 'unwatched' })
    expect(isAlive(sessionOf(Number(readFileSync(pidFile, 'utf8'))))).toBe(false)
    watched.close()
  },
)
