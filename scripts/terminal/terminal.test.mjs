import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { Failure, sentenceOf } from './failure.mjs'
import { createSteps, seconds } from './steps.mjs'
import { sayWaiting } from './waiting.mjs'

describe('sentenceOf', () => {
  it('says what failed, and never where in our code', () => {
    expect(sentenceOf(new Failure('Do this.', { details: 'log' }))).toBe('Do this.\n\nlog')
    expect(sentenceOf(Object.assign(new Error('x'), { code: 'ENOSPC', path: '/d' }))).toMatch(
      /disk is full at \/d/,
    )
    expect(sentenceOf(Object.assign(new Error('x'), { code: 'EACCES' }))).toMatch(/not allowed \(EACCES\)/)
    const unexpected = sentenceOf(new TypeError('odd\nsecond line'))
    expect(unexpected).toContain('Unexpected error: odd (')
    expect(unexpected).not.toContain('second line')
    expect(unexpected).not.toMatch(/\bat .*\.mjs/)
  })
})

it.each([
  ['waits for its reader', `if (!process.stdout.write(line)) await once(process.stdout, 'drain')`],
  ['does not wait', `process.stdout.write(line); await new Promise(setImmediate)`],
])('a command that prints a list and %s ends quietly when the reader has enough', async (_, step) => {
  const command = `
    import { once } from 'node:events'
    import { runCommand } from ${JSON.stringify(new URL('command.mjs', import.meta.url).href)}
    const line = 'x'.repeat(10_000) + '\\n'
    await runCommand(async () => {
      try {
        for (;;) { ${step} }
      } catch (error) {
        throw new Error('The list could not be read to its end: ' + error.message)
      }
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', command], {
    timeout: 120_000,
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  // As a command that SIGPIPE ends: a list that was cut is no success.
  expect([code, said]).toEqual([141, ''])
})

describe('steps', () => {
  const recorded = () => {
    const out = new PassThrough()
    let text = ''
    out.on('data', (chunk) => {
      text += chunk
    })
    return { steps: createSteps({ out: /** @type {never} */ (out), live: false }), text: () => text }
  }
  it('say name, last words and time', async () => {
    const { steps, text } = recorded()
    const look = (/** @type {(text: string) => void} */ report) => {
      report('found')
      return 42
    }
    expect(await steps.step('look', look)).toBe(42)
    expect(text()).toMatch(/^✓ look: found \(\d+\.\d s\)\n$/)
  })
  it('have one line each in a log, and one more each 30 s', async () => {
    vi.useFakeTimers()
    try {
      const { steps, text } = recorded()
      const work = (/** @type {number} */ ms) => async (/** @type {(text: string) => void} */ report) => {
        report('going on')
        await new Promise((done) => setTimeout(done, ms))
      }
      const both = Promise.all([steps.step('short', work(20_000)), steps.step('long', work(70_000))])
      await vi.advanceTimersByTimeAsync(70_000)
      await both
      expect(text().split('\n').slice(0, -1)).toEqual([
        expect.stringMatching(/^✓ short: going on \(20/),
        expect.stringMatching(/^… long: going on \(30/),
        expect.stringMatching(/^… long: going on \(60/),
        expect.stringMatching(/^✓ long: going on \(70/),
      ])
    } finally {
      vi.useRealTimers()
    }
  })
  it('that fail say so, and pass the failure on', async () => {
    const { steps, text } = recorded()
    await expect(steps.step('look', () => Promise.reject(new Failure('No.')))).rejects.toThrow('No.')
    expect(text()).toMatch(/^✗ look/)
  })
  it('that end because another one failed are not marked as failures', async () => {
    const { steps, text } = recorded()
    const other = new AbortController()
    const ended = steps.step(
      'fetch',
      () => once(other.signal, 'abort').then(() => Promise.reject(new Error())),
      other.signal,
    )
    other.abort()
    await expect(ended).rejects.toThrow()
    expect(text()).toMatch(/^– fetch/)
  })
  it('tell times', () => {
    expect(seconds(1_240)).toBe('1.2 s')
    expect(seconds(123_456)).toBe('123 s')
  })
})

it('a command that waits for a server says so after a second, and then every ten', async () => {
  vi.useFakeTimers()
  try {
    /** @type {string[]} */
    const said = []
    const out = { write: (/** @type {string} */ text) => said.push(text.trim()) }
    expect(await sayWaiting('Cassandra', async () => 'at once', out)).toBe('at once')
    const late = sayWaiting('Cassandra', () => new Promise((_, fail) => setTimeout(fail, 11_500)), out)
    const ended = expect(late).rejects.toBeUndefined()
    await vi.advanceTimersByTimeAsync(60_000)
    await ended
    expect(said).toEqual([
      'Waiting for Cassandra: no answer for 1 s.',
      'Waiting for Cassandra: no answer for 11 s.',
    ])
  } finally {
    vi.useRealTimers()
  }
})
