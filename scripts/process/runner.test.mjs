/** What ends a command that npm runs: real shells, a real npm, and a command that only says what happens to it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { sendSignal, until } from './ending.mjs'
import { processIdentity } from './identity.mjs'

const LOOK_MS = 50
const interruption = fileURLToPath(new URL('interruption.mjs', import.meta.url))
const frame = fileURLToPath(new URL('../terminal/command.mjs', import.meta.url))
const steps = fileURLToPath(new URL('../terminal/steps.mjs', import.meta.url))

/** @type {string} */
let dir
/** @type {number[]} */
let started
beforeEach(() => {
  dir = temporaryFolder('leasehold-runner')
  started = []
  writeFileSync(
    join(dir, 'command.mjs'),
    `import { appendFileSync } from 'node:fs'
    import { onInterruption } from ${JSON.stringify(interruption)}
    const say = (fact) => appendFileSync('said', JSON.stringify(fact) + '\\n')
    onInterruption((reason) => (say({ reason }), process.exit(0)), { lookEveryMs: ${LOOK_MS} })
    setInterval(() => say({ ppid: process.ppid }), ${LOOK_MS})
    say({ pid: process.pid, ppid: process.ppid })`,
  )
})
afterEach(() => {
  for (const pid of started) sendSignal(pid, 'SIGKILL', false)
  rmSync(dir, { recursive: true, force: true })
})

/** @returns {any[]} what the command said so far */
const said = () => {
  try {
    return readFileSync(join(dir, 'said'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/**
 * `npm start &` in a shell that ends once the command is up.
 *
 * @param {string} script what package.json says of `start`
 */
async function npmStartInShell(script) {
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, scripts: { start: script } }))
  const shell = spawn('sh', ['-c', 'npm start >log 2>&1 & echo $! >npm.pid; cat'], {
    cwd: dir,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const exited = new Promise((done) => shell.once('exit', done))
  // Npm takes seconds of a processor to start: minutes on a busy machine.
  expect(await until(() => said().length > 0 && npmPid() > 0, 300_000)).toBe(true)
  const npm = npmPid()
  const { pid } = said()[0]
  started.push(npm, pid)
  return {
    group: Number(shell.pid),
    npm,
    pid,
    exitShell: () => {
      shell.stdin?.end()
      return exited
    },
  }
}

const npmPid = () => {
  const file = join(dir, 'npm.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}
const reason = () => said().find((fact) => 'reason' in fact)?.reason
const gone = (/** @type {number} */ pid) => until(() => processIdentity(pid) === null, 120_000)

describe.each([
  ['npm replaces its shell by the command', 'exec node command.mjs'],
  ['a shell stays between npm and the command', 'node command.mjs; true'],
])('%s', (_, script) => {
  it('goes on when the shell that npm was started from ends', async () => {
    const { npm, pid, exitShell } = await npmStartInShell(script)
    await exitShell()
    // The command has looked for npm many times since.
    const before = said().length
    await until(() => said().length > before + 10 || processIdentity(pid) === null, 120_000)
    expect(reason()).toBeUndefined()
    expect(processIdentity(pid)).not.toBeNull()
    sendSignal(npm, 'SIGTERM', false)
    expect(await gone(pid)).toBe(true)
  })
  it('ends when npm is killed, its first shell gone or not', async () => {
    const { npm, pid, exitShell } = await npmStartInShell(script)
    await exitShell()
    sendSignal(npm, 'SIGKILL', false)
    expect(await gone(pid)).toBe(true)
    expect(reason()).toBe('the end of npm')
  })
  it('ends by a SIGTERM that npm gets', async () => {
    const { npm, pid, exitShell } = await npmStartInShell(script)
    sendSignal(npm, 'SIGTERM', false)
    expect(await gone(pid)).toBe(true)
    await exitShell()
  })
  it('ends by Ctrl-C, which the whole group gets', async () => {
    const { group, pid } = await npmStartInShell(script)
    sendSignal(group, 'SIGINT', true)
    expect(await gone(pid)).toBe(true)
  })
})

describe('a command that ends in order, in the frame of all commands', () => {
  /** It says what it does on stdout, too, and its end takes some lines. */
  const service = `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { onInterruption } from ${JSON.stringify(interruption)}
    import { runCommand } from ${JSON.stringify(frame)}
    import { createSteps } from ${JSON.stringify(steps)}
    const { print } = createSteps()
    const say = (fact) => {
      print(Object.keys(fact).join())
      appendFileSync('said', JSON.stringify(fact) + '\\n')
    }
    await runCommand(async () => {
      const keepAlive = setInterval(() => {}, 1_000)
      const reason = await new Promise((ended) => {
        onInterruption(ended)
        say({ pid: process.pid })
      })
      say({ reason })
      for (let part = 0; part < 3; part += 1) {
        await sleep(${LOOK_MS})
        say({ part })
      }
      clearInterval(keepAlive)
      return 7
    })`

  it('ends all its parts when Ctrl-C ended the reader of its output as well, and says so on stderr', async () => {
    writeFileSync(join(dir, 'service.mjs'), service)
    const child = spawn(process.execPath, ['service.mjs'], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
    started.push(Number(child.pid))
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const closed = once(child, 'close')
    child.kill('SIGINT')
    const [code] = await closed
    expect(said().slice(1)).toEqual([{ reason: 'SIGINT' }, { part: 0 }, { part: 1 }, { part: 2 }])
    expect([code, errors]).toEqual([7, 'reason\npart\npart\npart\n'])
  })
})
