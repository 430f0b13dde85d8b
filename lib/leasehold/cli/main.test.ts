/** The command line without a cluster: arguments, help, errors, exit codes. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import { problem, scriptedServer } from '../http/test-server.ts'
import {
  ClosedError,
  InvalidArgumentError,
  LeaseHeldError,
  LeaseLostError,
  OutcomeUnknownError,
  StatementUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../lease/index.ts'
import { main } from './main.ts'
import { toCliError } from './process/cli-error.ts'
import { exitCode, exitWords, signalExitCode } from './process/exit-codes.ts'
import type { Io } from './process/io.ts'

async function leasehold(args: string[], env: Record<string, string> = {}) {
  let [stdout, stderr] = ['', '']
  const output = (write: (text: string) => void) => ({ write, isTTY: false, columns: 80, rows: 24 })
  const io: Io = {
    env: { LEASEHOLD_DATA_DIR: '/nowhere', ...env },
    stdout: output((text) => {
      stdout += text
    }),
    stderr: output((text) => {
      stderr += text
    }),
    onSignal: () => () => {},
  }
  return { code: await main(args, io), stdout, stderr }
}

it.each(['history job', 'doctor', 'get job'])(
  '`%s` says what to start when the node of `npm start` is gone',
  async (line) => {
    const folder = temporaryFolder('leasehold-stale')
    const node = { contactPoints: ['127.0.0.1:1'], keyspace: 'leasehold', localDataCenter: 'datacenter1' }
    writeFileSync(join(folder, 'cassandra.json'), JSON.stringify(node))
    const { code, stderr } = await leasehold(line.split(' '), { LEASEHOLD_DATA_DIR: folder })
    expect(stderr).toMatch(
      /This is the Cassandra of `npm start` that .* names\. See whether `npm start` runs/,
    )
    expect(code).toBe(exitCode.unavailable)
  },
)

describe('the history of a lease', () => {
  const at = '2026-01-01T00:00:00.000Z'
  it.each([
    [
      'acquired',
      /^leasehold: No end of the newest tenure was seen\. Whether it is held now: `leasehold get job`\.$/m,
    ],
    ['released', /^$/],
  ])('that ends with *%s* says what it does not know', async (kind, said) => {
    const server = await scriptedServer()
    const events = [{ kind, at, owner: 'o' }]
    server.script({ status: 200, body: { events, renewals: [], notObserved: [], nextCursor: null } })
    const { code, stdout, stderr } = await leasehold(['history', 'job', '--server', server.url])
    expect([code, stdout.includes(kind)]).toEqual([exitCode.done, true])
    expect(stderr).toMatch(said)
    await server.close()
  })
})

describe('a lease that an operator broke', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const lease = {
    name: 'cron/plain',
    owner: '!quarantine:1Iz-3d6hZoeW',
    value: JSON.stringify({ quarantine: { was: 'web-3:4711', by: 'ann', at } }),
    version: '1767225600250000',
    expiresAt: '2026-01-01T00:15:00.000Z',
    remainingMs: 894_900,
    valueRemainingMs: 894_900,
  }

  it.each([
    [
      ['get', 'cron/plain'],
      lease,
      /^owner +none\nbroken +by ann, at 2026-01-01T00:00:00\.000Z\nbefore +held by web-3:4711\nsafe at +2026-01-01T00:15:00\.000Z, in 14 min 5\d s; no process can acquire it before$/m,
    ],
    [
      ['ls'],
      { leases: [lease], nextCursor: null },
      /^cron\/plain +\(broken by ann\) +14 min 5\d s +held by web-3:4711 before$/m,
    ],
  ])('has no owner in %j', async (args, body, shown) => {
    const server = await scriptedServer()
    server.script({ status: 200, body })
    const { code, stdout } = await leasehold([...args, '--server', server.url])
    expect(code).toBe(exitCode.done)
    expect(stdout).toMatch(shown)
    expect(stdout).not.toMatch(/quarantine|unless renewed/)
    await server.close()
  })

  it('stays as it is in JSON', async () => {
    const server = await scriptedServer()
    server.script({ status: 200, body: lease })
    const { stdout } = await leasehold(['get', 'cron/plain', '--json', '--server', server.url])
    expect(JSON.parse(stdout)).toMatchObject({ owner: lease.owner, value: lease.value })
    await server.close()
  })
})

describe('a release whose row a client dated ahead of the clocks', () => {
  const now = '2026-01-01T00:00:00.000Z'
  const expiresAt = '2026-01-01T00:05:00.000Z'
  const row = { name: 'job', owner: 'plain', value: null, expiresAt, remainingMs: 300_000, now }
  const ahead = { ...row, version: String(Date.UTC(2026, 0, 1, 0, 1) * 1_000) }
  const here = { ...row, version: String(Date.UTC(2025, 11, 31) * 1_000) }
  const deleted = { status: 204, headers: { 'x-request-id': 'r' } }
  const shows = (body: object) => ({ status: 200, body })
  const free = problem(404, 'not-held')

  it.each([
    ['is no release', [shows(ahead), deleted, shows(ahead)], exitCode.refused, /Nothing was released/],
    [
      'is unknown where the read after it fails',
      [shows(ahead), deleted, problem(400, 'bad-request')],
      exitCode.unknown,
      /Whether "job" was released is unknown/,
    ],
    ['is one where the row is gone', [shows(ahead), deleted, free], exitCode.done, /^$/],
    [
      'is one where the row was not dated ahead, also when the read after it fails',
      [shows(here), deleted, problem(400, 'bad-request')],
      exitCode.done,
      /^$/,
    ],
  ] as const)('%s', async (_what, answers, expected, said) => {
    const server = await scriptedServer()
    server.script(...answers)
    const { code, stderr } = await leasehold(['release', 'job', '--owner', 'plain', '--server', server.url])
    expect([code, server.asked.map(({ method }) => method)]).toEqual([expected, ['GET', 'DELETE', 'GET']])
    expect(stderr).toMatch(said)
    await server.close()
  })
})

describe('a zombie: a row whose owner has expired, and whose value has not', () => {
  const now = '2026-01-01T00:00:00.000Z'
  const zombie = {
    name: 'undead',
    owner: null,
    value: 'v',
    version: null,
    expiresAt: null,
    remainingMs: null,
    valueRemainingMs: 60_000,
    now,
  }
  const on = async (body: object, ...args: string[]) => {
    const server = await scriptedServer()
    server.script({ status: 200, body })
    const ran = await leasehold([...args, '--server', server.url])
    await server.close()
    return ran
  }

  it('is no free lease in `ls`', async () => {
    const { stdout } = await on({ leases: [{ ...zombie, state: 'zombie' }], nextCursor: null, now }, 'ls')
    expect(stdout).toMatch(/^undead +\(none\) +zombie +v$/m)
    const lock = { ...zombie, state: 'held' }
    const ofLock = await on({ leases: [lock], nextCursor: null, now }, 'ls')
    expect(ofLock.stdout).toMatch(/^undead +\(none\) +([45]\d\.\d|60\.0) s +v$/m)
  })

  it.each([
    [
      zombie,
      /until its value expires, at 2026-01-01T00:01:00\.000Z, in ([45]\d\.\d|60\.0) s\. Unless its table has no owner column/,
    ],
    [{ ...zombie, valueRemainingMs: null }, /for ever: its value has no expiry\. Unless/],
    [
      { ...zombie, value: null, valueRemainingMs: null },
      /until the marker of its row expires, if it ever does: Cassandra does not say when\. Unless/,
    ],
  ])('has no holder in `get`, which says who can acquire it: %j', async (body, until) => {
    const { code, stderr } = await on(body, 'get', 'undead')
    expect(code).toBe(exitCode.notHeld)
    expect(stderr).toMatch(
      /^leasehold: "undead" has no holder, but its row stands without an owner \(a zombie\)\. This library can acquire it; a client that uses INSERT … IF NOT EXISTS cannot, /,
    )
    expect(stderr).toMatch(until)
  })

  it('has the time left of its value in JSON', async () => {
    const ofGet = await on(zombie, 'get', 'undead', '--json')
    const ofLs = await on({ leases: [zombie], nextCursor: null, now }, 'ls', '--json')
    for (const { stdout } of [ofGet, ofLs])
      expect(JSON.parse(stdout)).toMatchObject({ owner: null, remainingMs: null, valueRemainingMs: 60_000 })
  })

  it('is none where there is no row', async () => {
    const server = await scriptedServer()
    server.script(problem(404, 'not-held'))
    const { code, stderr } = await leasehold(['get', 'undead', '--server', server.url])
    expect([code, stderr]).toEqual([exitCode.notHeld, 'leasehold: "undead" has no holder.\n'])
    await server.close()
  })
})

describe('the command line', () => {
  it('says its version', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(await leasehold(['--version'])).toMatchObject({ code: exitCode.done, stdout: `${version}\n` })
  })

  it.each([
    [[], /Usage: leasehold/],
    [['nonsense'], /unknown command 'nonsense'/],
    [['run'], /missing required argument 'name'/],
    [['elect', 'g', '--server', 'http://127.0.0.1:1', '--table', 'jobs', '--wait', '0'], /--no-terms/],
    [['run', 'x'], /missing required argument 'command'/],
    [['run', 'x', 'ls', '-l'], /unknown option '-l'/],
    [['run', 'x', '--ttl', 'soon', '--', 'true'], /A duration is expected/],
    [['run', 'leasehold/recorder', '--', 'true'], /a name of the console's own/],
    [['elect', 'leasehold/recorder'], /a name of the console's own/],
    [['run', 'x', '--ttl', '6', '--grace', '3', '--', 'true'], /at most 2250 ms leave time for renewals/],
    [['run', 'x', '--', 'true'], /No cluster and no server is named/],
    [['elect', 'g', '--observe', '--', 'true'], /--observe runs no command/],
    [['elect', 'x', '--server', 'http://127.0.0.1:1', '--ttl', '10'], /--paxos-variant v2/],
    [['elect', 'x', '--server', 'http://127.0.0.1:1', '--ttl', '5'], /too short to be kept alive/],
    [['get', 'x', '--server', 'http://127.0.0.1:1', '--paxos-variant', 'v3'], /v1 or v2 is expected/],
    [['release', 'x'], /required option '--owner <owner>' not specified/],
    [['next', 'x', '--count', '0'], /from 1 to 1000000/],
    [['ls', '--limit', 'all'], /A whole number/],
    [['doctor', '--server', 'http://127.0.0.1:1'], /asks Cassandra itself: give --contact-points/],
  ])('%j is a usage error, in one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await leasehold(args)
    expect(code).toBe(exitCode.usage)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(stdout).toBe('')
  })

  it.each(['run', 'elect', 'ls', 'get', 'history', 'release', 'next', 'doctor'])(
    '%s --help has examples and exit codes',
    async (command) => {
      const { code, stdout } = await leasehold([command, '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain(`\n  `)
      expect(stdout).toMatch(/Examples?:/)
      expect(stdout).toContain(`leasehold ${command} `)
      expect(stdout).toMatch(/123\s+Cassandra, or the server, cannot be reached/)
      expect(stdout).toContain('CASSANDRA_PASSWORD_FILE')
      expect(stdout).toContain('--paxos-variant')
      expect(stdout).not.toContain('\x1b[')
    },
  )

  it.each([
    [exitCode.done, 'held\n'],
    [exitCode.notHeld, 'free\n'],
    [exitCode.unavailable, 'unknown\n'],
  ])('the example of get --help says at exit code %i: %s', async (code, said) => {
    const { stdout } = await leasehold(['get', '--help'])
    const example = /^ {2}(leasehold get .*)$/m.exec(stdout)?.[1]
    const shell = spawnSync('sh', ['-c', `leasehold() { return ${code}; }; ${example}`], { encoding: 'utf8' })
    expect(shell.stdout).toBe(said)
  })

  it.each(['run', 'elect'])('%s --help says what its command does not inherit', async (command) => {
    const { stdout } = await leasehold([command, '--help'])
    expect(stdout).toContain('--keep-credentials')
    const removed =
      /inherits all other variables[^.]*\. Without --keep-credentials these are removed[^.]*\./.exec(
        stdout,
      )?.[0]
    for (const name of ['CASSANDRA_TLS_KEY', 'LEASEHOLD_API_TOKEN', 'LEASEHOLD_AUDIT_KEY', '_FILE'])
      expect(removed).toContain(name)
    expect(Math.max(...(removed ?? '').split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  })

  it('run --help names each variable that its command finds', async () => {
    const { stdout } = await leasehold(['run', '--help'])
    for (const name of ['NAME', 'OWNER', 'TTL_SECONDS', 'TOKEN', 'RUN'])
      expect(stdout.split('Examples:')[0]).toMatch(new RegExp(`LEASEHOLD_${name}\\b`))
  })

  it('elect --help says that it ends after a loss with a command, and what to do', async () => {
    const { stdout } = await leasehold(['elect', '--help'])
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /With a command it ends after a loss, [^.]*exit code 121[^.]*: let a supervisor start it again\./,
    )
  })

  it.each(['run', 'elect'])(
    '%s --help says that it writes no history, and what that means',
    async (command) => {
      const { stdout } = await leasehold([command, '--help'])
      expect(stdout).toMatch(/^leasehold writes no history of what it holds[^.]*recorder of a console saw\./m)
      expect(stdout).toMatch(/leaves\s+no\s+trace/)
    },
  )

  it('an unreachable server is unavailable; only LEASEHOLD_DEBUG shows a stack', async () => {
    const gone = await scriptedServer()
    await gone.close()
    const args = ['get', 'x', '--server', gone.url]
    const plain = await leasehold(args)
    expect(plain.code).toBe(exitCode.unavailable)
    expect(plain.stderr.trim().split('\n')).toHaveLength(1)
    expect((await leasehold(args, { LEASEHOLD_DEBUG: '1' })).stderr).toMatch(/\n\s+at /)
  })
})

describe('exit codes', () => {
  it.each([
    [new InvalidArgumentError('x'), exitCode.usage],
    [new LeaseHeldError('x', 'o'), exitCode.held],
    [new LeaseLostError('x', 'o', 'deadline', null), exitCode.lost],
    [new OutcomeUnknownError('x', 'x', 'o'), exitCode.unknown],
    [new StatementUnknownError('x', 'never'), exitCode.unknown],
    [new StoreUnavailableError('x'), exitCode.unavailable],
    [new StoreRefusedError('x'), exitCode.refused],
    [new ClosedError(), exitCode.failed],
    [new TypeError('x'), exitCode.failed],
    ['x', exitCode.failed],
  ])('%s', (thrown, code) => expect(toCliError(thrown).exit).toBe(code))

  it('of a lease that is held come with how to find out whether waiting can help', () => {
    expect(toCliError(new LeaseHeldError('x', 'o')).message).toMatch(/`leasehold get` .* ever expires\.$/)
    expect(toCliError(new LeaseHeldError('x', 'o\u001b[2K\r')).message).toContain(
      'is held by o\\u{1b}[2K\\u{d}.',
    )
  })

  it('of signals are those of shells', () => {
    expect([signalExitCode('SIGINT'), signalExitCode('SIGKILL'), signalExitCode('SIGTERM')]).toEqual([
      130, 137, 143,
    ])
  })

  it('are those in the README', () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
    const said = [...readme.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, words]) => [
      Number(code),
      words,
    ])
    for (const [code, words] of said)
      if (code !== exitCode.notHeld) expect(words).toBe(exitWords[code as number])
    const single = Object.values(exitCode).filter((code) => ![126, 127].includes(code))
    expect(said.map(([code]) => code)).toEqual(single)
  })

  it('have one sentence each', () => {
    const codes = Object.values(exitCode)
    expect(new Set(codes).size).toBe(codes.length)
  })
})

it.each([
  [{}, 'asks for an API token, and none was sent.'],
  [{ LEASEHOLD_API_TOKEN: 'lh_x' }, 'refuses the API token: it is not valid, or was revoked.'],
])('a server that wants a token: with %j it says which variable to set', async (token, sentence) => {
  const server = await scriptedServer()
  const detail = 'Send the header Authorization: Bearer TOKEN, or sign in (POST /v1/session).'
  server.script(problem(401, 'unauthenticated', { detail }))
  const { code, stderr } = await leasehold(['ls'], { LEASEHOLD_SERVER: server.url, ...token })
  expect(code).toBe(exitCode.refused)
  expect(stderr).toContain(sentence)
  expect(stderr).toContain('set LEASEHOLD_API_TOKEN, or LEASEHOLD_API_TOKEN_FILE')
  expect(stderr).not.toMatch(/Bearer|keyspace/)
  await server.close()
})

it('with a token for some names, says how to list those, in the words of the command', async () => {
  const server = await scriptedServer()
  const detail =
    'The token jobs is for names that begin with "jobs/": ask for one of them, by `name` or `prefix`.'
  server.script(problem(403, 'forbidden', { detail }))
  const env = { LEASEHOLD_SERVER: server.url, LEASEHOLD_API_TOKEN: 'lh_x' }
  const { code, stderr } = await leasehold(['ls'], env)
  expect(code).toBe(exitCode.refused)
  expect(stderr).toMatch(/begin with "jobs\/"\. Name one of them: `leasehold ls PREFIX`\./)
  expect(stderr).not.toMatch(/by `prefix`/)
  await server.close()
})
