import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { endProcess, until } from './ending.mjs'
import { identityFromStat, processIdentity } from './identity.mjs'
import { onInterruption } from './interruption.mjs'
import { oneAtATime } from './lock.mjs'
import { claim, livePidRecord, writePidFile } from './pid-file.mjs'
import { nextFreePort, parsePort, portsReleased, probePort, randomFreePorts } from './ports.mjs'
import { endOrphans, REGISTRY, register, registered } from './registry.mjs'
import { run } from './run.mjs'
import { withTimerSlack } from './timer-slack.mjs'

/** @type {string} */
let dir
/** @type {import('node:child_process').ChildProcess[]} */
let children
beforeEach(() => {
  dir = temporaryFolder('leasehold-process')
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** A process that lives until it is ended. @param {string} [script] */
async function sleeper(script = 'setInterval(() => {}, 1e6)') {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  return /** @type {number} */ (child.pid)
}

describe('identity', () => {
  it('is of a process and its beginning, not of the pid alone', () => {
    const stat = (/** @type {number} */ start) =>
      `7 (a) b (c)) S 1 7 7 0 -1 4194304 1 0 0 0 1 1 0 0 20 0 1 0 ${start} 0 0`
    expect(identityFromStat(stat(100), 'boot')).toBe('boot/100')
    expect(identityFromStat(stat(101), 'boot')).not.toBe(identityFromStat(stat(100), 'boot'))
    expect(identityFromStat(stat(100).replace(') S', ') Z'), 'boot')).toBeNull()
  })
  it('is null where there is no process', () => {
    expect(processIdentity(process.pid)).not.toBeNull()
    expect(processIdentity(2 ** 22 + 1)).toBeNull()
    expect(processIdentity(0)).toBeNull()
  })
})

describe('pid file', () => {
  it('is believed while its process lives', async () => {
    const pid = await sleeper()
    const file = join(dir, 'p.json')
    writePidFile(file, pid, { port: 1 })
    expect(livePidRecord(file)).toMatchObject({ pid, port: 1 })
    await endProcess(pid, { graceMs: 120_000 })
    expect(livePidRecord(file)).toBeNull()
  })
  it('is not believed when the pid went to another process', () => {
    const file = join(dir, 'p.json')
    writePidFile(file, process.pid)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("identity":")[^"]*/, '$1another boot/1'))
    expect(livePidRecord(file)).toBeNull()
  })
  it('is not believed in a copy of its directory, nor when it is damaged', () => {
    const file = join(dir, 'p.json')
    writePidFile(file, process.pid)
    const copy = temporaryFolder('leasehold-copy')
    cpSync(dir, copy, { recursive: true })
    expect(livePidRecord(join(copy, 'p.json'))).toBeNull()
    rmSync(copy, { recursive: true })
    writeFileSync(file, '{"pid": 1')
    expect(livePidRecord(file)).toBeNull()
  })
})

describe('claim', () => {
  it('goes to the first, and is free again after it', () => {
    const file = join(dir, 'owner.json')
    const first = claim(file)
    expect(first).toHaveProperty('release')
    expect(claim(file)).toMatchObject({ owner: { pid: process.pid } })
    if ('release' in first) first.release()
    expect(claim(file)).toHaveProperty('release')
  })
  it('is taken over from an owner that died', async () => {
    const file = join(dir, 'owner.json')
    const pid = await sleeper()
    writePidFile(file, pid)
    expect(claim(file)).toMatchObject({ owner: { pid } })
    await endProcess(pid, { graceMs: 120_000 })
    expect(claim(file)).toHaveProperty('release')
  })
})

it('one at a time: the second one says once whom it waits for, however long', async () => {
  mkdirSync(REGISTRY, { recursive: true })
  const lock = claim(join(REGISTRY, `lock.test-${process.pid}.json`))
  const said = /** @type {string[]} */ ([])
  const report = (/** @type {string} */ text) => said.push(text)
  const ran = oneAtATime(
    `test-${process.pid}`,
    { report, signal: AbortSignal.timeout(1_700) },
    async () => {},
  )
  await expect(ran).rejects.toThrow('aborted')
  if ('release' in lock) lock.release()
  expect(said).toEqual([`waiting for process ${process.pid}, which is doing the same`])
})

describe('registry', () => {
  it('ends orphans, and leaves those whose owner lives', async () => {
    const [orphan, kept] = [await sleeper(), await sleeper()]
    register('server', kept, {}, dir)
    register('server', orphan, { port: 5 }, dir)
    const [mine] = registered('server', dir).filter(({ pid }) => pid === orphan)
    const text = readFileSync(mine?.file ?? '', 'utf8')
    writeFileSync(mine?.file ?? '', text.replace(/("ownerIdentity":")[^"]*/, '$1gone/1'))
    await endOrphans('server', {}, dir)
    expect(processIdentity(orphan)).toBeNull()
    expect(processIdentity(kept)).not.toBeNull()
    expect(registered('server', dir).map(({ pid }) => pid)).toEqual([kept])
  })
})

describe('ending', () => {
  it('asks first', async () => {
    expect(await endProcess(await sleeper(), { graceMs: 120_000 })).toBe('asked')
  })
  it('forces one that does not listen', async () => {
    const pid = await sleeper("process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6)")
    expect(await endProcess(pid, { graceMs: 200 })).toBe('forced')
    expect(processIdentity(pid)).toBeNull()
  })
  it('does not end another process that has the same pid', async () => {
    const pid = await sleeper()
    expect(await endProcess(pid, { graceMs: 100, identity: 'another/1' })).toBe('gone')
    expect(processIdentity(pid)).not.toBeNull()
  })
})

describe('run', () => {
  it('gives the lines and the exit code', async () => {
    const lines = []
    const ran = await run(process.execPath, ['-e', "console.log('a\\nb'); process.exit(3)"], {
      onLine: (line) => lines.push(line),
    })
    expect(ran).toMatchObject({ code: 3, output: 'a\nb', missing: false })
    expect(lines).toEqual(['a', 'b'])
  })
  it('knows a program that is not there', async () => {
    writeFileSync(join(dir, 'file'), '')
    for (const path of [join(dir, 'none'), join(dir, 'file'), join(dir, 'file', 'none')]) {
      expect(await run(path, [])).toMatchObject({ missing: true, code: 127 })
    }
  })
  it('ends it when it is aborted', async () => {
    const stop = new AbortController()
    const running = run(process.execPath, ['-e', "console.log('up'); setInterval(() => {}, 1e6)"], {
      signal: stop.signal,
      onLine: () => stop.abort(),
    })
    await expect(running).rejects.toThrow(/abort/i)
  })
})

describe('ports', () => {
  it('are probed, chosen and waited for', async () => {
    const [port = 0] = await randomFreePorts(1)
    const server = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await probePort(port)).toBe('EADDRINUSE')
    expect(await nextFreePort(port)).toBeGreaterThan(port)
    expect(await nextFreePort(port, { tries: 1 })).toBeNull()
    expect(await portsReleased([port], { timeoutMs: 100 })).toBe(false)
    server.close()
    expect(await portsReleased([port], { timeoutMs: 120_000 })).toBe(true)
    expect(await nextFreePort(port)).toBe(port)
  })
  it('are different ones', async () => {
    expect(new Set(await randomFreePorts(5)).size).toBe(5)
  })
  it.each([
    ['3000', 3000],
    ['65535', 65535],
    ['0', null],
    ['65536', null],
    ['3000x', null],
    ['', null],
    [undefined, null],
  ])('of the text %s: %s', (text, port) => expect(parsePort(text)).toBe(port))
})

describe('interruption', () => {
  /** @param {number[]} times @param {string[]} signals */
  const press = (times, signals) => {
    /** @type {Record<string, () => void>} */
    const handlers = {}
    const calls = []
    let now = 0
    onInterruption((reason) => calls.push(reason), {
      now: () => now,
      exit: (code) => calls.push(code),
      on: /** @type {never} */ ((signal, handler) => (handlers[signal] = handler)),
    })
    times.forEach((time, i) => {
      now = time
      handlers[signals[i] ?? '']?.()
    })
    return calls
  }
  it('ends in order the first time, at once the second', () => {
    expect(press([0, 2_000], ['SIGINT', 'SIGINT'])).toEqual(['SIGINT', 130])
  })
  it('takes one Ctrl-C that arrives twice for one', () => {
    expect(press([0, 20], ['SIGINT', 'SIGINT'])).toEqual(['SIGINT'])
  })
  it('ends on SIGTERM and SIGHUP too', () => {
    expect(press([0], ['SIGTERM'])).toEqual(['SIGTERM'])
    expect(press([0, 5_000], ['SIGHUP', 'SIGHUP'])).toEqual(['SIGHUP'])
  })
})

it('until gives up after its time, and at once when aborted', async () => {
  expect(await until(() => false, 30, { everyMs: 5 })).toBe(false)
  await expect(until(() => false, 1e6, { everyMs: 5, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
})

it.runIf(existsSync('/proc/self/timerslack_ns'))(
  'a slack of timers is that of the processes that are started, and is not kept',
  () => {
    const slack = () => readFileSync('/proc/self/timerslack_ns', 'utf8').trim()
    const ofAnother = () => execFileSync('cat', ['/proc/self/timerslack_ns'], { encoding: 'utf8' }).trim()
    const before = slack()
    expect(withTimerSlack(500, ofAnother)).toBe('500000')
    expect(withTimerSlack(undefined, ofAnother)).toBe(before)
    expect(() =>
      withTimerSlack(500, () => {
        throw new Error('not started')
      }),
    ).toThrow('not started')
    expect(slack()).toBe(before)
  },
)
