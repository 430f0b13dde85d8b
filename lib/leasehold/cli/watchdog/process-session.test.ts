import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { isAlive, parseStat, SessionEnd, sessionOf, signalAll } from './process-session.ts'

const line = '4711 (a) b (c) S 1 4711 4700 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2'

it('reads a process whose name looks like the fields that follow it', () => {
  expect(parseStat(line)).toEqual({ state: 'S', group: 4711, session: 4700, startedTicks: '987654' })
  expect(parseStat('')).toBeNull()
})

it.runIf(process.platform === 'linux')(
  'sends no signal to a later process with the same number',
  async () => {
    const child = spawn('sleep', ['60'], { detached: true })
    const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)))
    const session = sessionOf(child.pid as number)
    const earlier = { ...session, startedTicks: '1' }
    expect([isAlive(session), isAlive(earlier)]).toEqual([true, false])
    signalAll(earlier, 'SIGKILL')
    signalAll(session, 'SIGTERM')
    expect(await ended).toBe('SIGTERM')
    expect(isAlive(session)).toBe(false)
  },
)

/** Forks on and ends its former self again and again: a pass over /proc may miss it. With a word, in a group of its own. */
const hopper = `
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if sys.argv[1:]: os.setpgid(0, 0)
until = time.monotonic() + 300
while time.monotonic() < until:
    if os.fork(): os._exit(0)
    time.sleep(0.0002)
`

it.runIf(process.platform === 'linux').each([
  ['the group of the command', []],
  ['a group of its own', ['apart']],
])('finds and kills a process that forks on and on, in %s', async (_, words) => {
  const child = spawn('sh', ['-c', 'python3 -c "$0" "$@" & sleep 0.3', hopper, ...words], { detached: true })
  await new Promise((resolve) => child.on('exit', resolve))
  const session = { ...sessionOf(child.pid as number), startedTicks: '1' }
  const end = new SessionEnd(session)
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
  for (let looks = 0; looks < 100; looks++, await pause()) expect(end.isOver()).toBe(false)
  for (let looks = 0; !end.isOver(); looks++, await pause()) {
    expect(looks, 'it goes on').toBeLessThan(2_000)
    signalAll(session, 'SIGKILL')
  }
})
