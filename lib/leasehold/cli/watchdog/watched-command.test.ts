/** Commands that are left: by a watchdog that reported nothing of them, since it was killed or stopped, and by `close`. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { isAlive, sessionOf, signalAll } from './process-session.ts'
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
    // The command has written its number long before the limit, also where it takes seconds to start.
    const limits = { from: machineClock.now(), termAfterMs: 14_000, killAfterMs: 15_000 }
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

it('close stops a command that still runs', async () => {
  // Node 20 runs no TypeScript: the watchdog as the package has it.
  const watchdog = join(folder, 'watchdog.mjs')
  const input = join(import.meta.dirname, 'watchdog.ts')
  await build({ input, platform: 'node', output: { file: watchdog, format: 'esm' } })
  const pidFile = join(folder, 'closed.pid')
  const watched = new WatchedCommand(watchdog)
  await watched.ready
  const script = `echo $$ > ${pidFile}.new; mv ${pidFile}.new $0; while :; do sleep 0.05; done`
  const limits = { from: machineClock.now(), termAfterMs: 600_000, killAfterMs: 601_000 }
  const env = { PATH: process.env.PATH ?? '' }
  void watched.run(['sh', '-c', script, pidFile], env, limits, 500, () => {})
  await expect.poll(() => existsSync(pidFile), { timeout: 120_000 }).toBe(true)
  const session = sessionOf(Number(readFileSync(pidFile, 'utf8')))
  onTestFinished(() => signalAll(session, 'SIGKILL'))
  watched.close()
  await expect.poll(() => isAlive(session), { timeout: 120_000 }).toBe(false)
})
