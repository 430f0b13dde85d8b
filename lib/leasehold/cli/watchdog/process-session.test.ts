import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { isAlive, parseStat, sessionOf, signalAll } from './process-session.ts'

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
