import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reasonFor, urlHost } from '../console/server.mjs'
import { ROOT } from '../process/registry.mjs'
import { packagesInstalled } from '../setup/packages.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { portRefusal, readSettings } from './settings.mjs'
import { isPasswordSignIn, readyText, signInLinkIn, terminalLines } from './words.mjs'

describe('settings', () => {
  it('have the defaults of the documentation', () => {
    expect(readSettings({}, '/repo')).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      dataDir: '/repo/.leasehold',
      keyspace: 'leasehold',
      cassandraPort: 9042,
      cassandraPortFixed: false,
      embedded: true,
    })
  })
  it('name the variable that is wrong', () => {
    expect(() => readSettings({ PORT: 'x' }, '/')).toThrow('PORT is "x", which is not a port')
    expect(() => readSettings({ LEASEHOLD_CASSANDRA_PORT: '0' }, '/')).toThrow(/^LEASEHOLD_CASSANDRA_PORT/)
  })
  // Without them, the start would begin by installing them.
  it.runIf(packagesInstalled(ROOT))('that are wrong end a start before anything else', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'start.mjs')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LEASEHOLD_DATA_DIR: temporaryFolder('start'), LEASEHOLD_LAB: 'on' },
      timeout: 240_000,
    })
    // What reads them may have to be compiled first: a busy machine says after half a minute that it does, or for whom it waits.
    expect(stdout).toMatch(/^(… check the settings[^\n]*\n)*✗ check the settings \([^\n]*\n$/)
    const said = stderr.replace(/^Compiling this command: .*\n/gm, '').trim()
    expect(said).toBe('LEASEHOLD_LAB is neither enabled nor disabled.')
    expect(status).toBe(1)
  })
  it('start no Cassandra beside one that is named', () => {
    expect(readSettings({ CASSANDRA_CONTACT_POINTS: 'db' }, '/').embedded).toBe(false)
  })
})

describe('portRefusal', () => {
  const where = { host: '127.0.0.1', port: 3000 }
  it.each([
    ['EADDRINUSE', /Port 3000 on 127.0.0.1 is taken.*PORT=3001 npm start/],
    ['EACCES', /above 1023/],
    ['EADDRNOTAVAIL', /HOST 127.0.0.1 \(EADDRNOTAVAIL\)/],
  ])('%s', (state, sentence) => expect(portRefusal(state, where)).toMatch(sentence))
  it('is none for a free one', () => expect(portRefusal('free', where)).toBeNull())
})

describe('what the server prints', () => {
  it('is shown but for banners and the small talk of the log', () => {
    const shown = terminalLines(() => 0)
    expect(shown('  ▲ Next.js 16.4.6')).toBeNull()
    expect(shown('   - Local:        http://127.0.0.1:3000')).toBeNull()
    expect(shown('{"level":30,"msg":"migrations: applied"}')).toBeNull()
    expect(shown('a sentence')).toBe('a sentence')
  })
  it('is a sentence where it is a warning of the log, the same one once a minute', () => {
    let nowMs = 0
    const shown = terminalLines(() => nowMs)
    const lost = (/** @type {string} */ time) =>
      JSON.stringify({
        level: 40,
        time: `2026-11-20T${time}.000Z`,
        error: { type: 'Error', message: 'All host(s) tried for query failed.\nmore' },
        msg: 'audit: not written yet',
      })
    expect(shown(lost('03:14:15'))).toBe(
      '03:14:15 UTC  warning: audit: not written yet (All host(s) tried for query failed.)',
    )
    nowMs = 59_999
    expect(shown(lost('03:15:14'))).toBeNull()
    nowMs = 60_000
    expect(shown(lost('03:15:15'))).toContain('03:15:15 UTC')
    const request = { level: 40, time: '2026-11-20T03:14:15.000Z', act: 'request', method: 'GET' }
    expect(shown(JSON.stringify({ ...request, route: 'listLeases', status: 503 }))).toBe(
      '03:14:15 UTC  warning: GET listLeases answered 503',
    )
  })
  it('shows the sign-in link where it is seen', () => {
    const link = signInLinkIn('sign-in link: http://localhost:3000/setup#abc')
    expect(link).toBe('http://localhost:3000/setup#abc')
    expect(signInLinkIn('no link')).toBeNull()
    const text = readyText(
      { publicUrl: 'http://localhost:3000', keyspace: 'k', dataDir: '/d' },
      { link, hasPassword: false, contactPoint: '127.0.0.1:9042', log: '/d/log', tookMs: 1_000 },
    )
    expect(text).toContain(`\nsign-in link: ${link}\n`)
  })
  it('says how to sign in where LEASEHOLD_ADMIN_PASSWORD has made the first user, and at no later start', () => {
    const line = 'Sign in as admin with LEASEHOLD_ADMIN_PASSWORD.'
    expect(isPasswordSignIn(line)).toBe(true)
    expect(isPasswordSignIn('sign-in link: http://localhost:3000/setup#abc')).toBe(false)
    const text = (/** @type {boolean} */ hasPassword) =>
      readyText(
        { publicUrl: 'http://localhost:3000', keyspace: 'k', dataDir: '/d' },
        { link: null, hasPassword, contactPoint: null, log: '/d/log', tookMs: 1_000 },
      )
    expect(text(true)).toContain(`\n\n${line}\n`)
    expect(text(false)).not.toContain('Sign in')
  })
})

describe('why the server ended', () => {
  const end = { served: false, errors: [], code: 1, signal: null }
  it("is the server's own sentence, if it could not start", () => {
    expect(reasonFor({ ...end, errors: ['noise', 'Leasehold cannot start: PORT is wrong.', 'x'] })).toBe(
      'Leasehold cannot start: PORT is wrong.',
    )
    const logged = { ...end, errors: ['Leasehold cannot start: PORT is wrong.'], logFile: '/d/console.log' }
    expect(reasonFor(logged)).toBe('Leasehold cannot start: PORT is wrong. (log: /d/console.log)')
    expect(reasonFor({ ...end, errors: ['Error: listen EADDRINUSE', '    at x', '}'] })).toMatch(
      /has taken the port/,
    )
    expect(reasonFor({ ...end, errors: ['Error: odd', '    at x', '}'] })).toContain('Error: odd')
  })
  it('is not what it happened to say, once it served', () => {
    expect(reasonFor({ ...end, served: true, errors: ['A warning.'], signal: 'SIGKILL' })).toBe(
      'The console ended by SIGKILL.',
    )
  })
})

it.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
  ['localhost', 'localhost'],
])('a server that listens on %s is reached at %s', (host, reached) => expect(urlHost(host)).toBe(reached))
