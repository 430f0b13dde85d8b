import { PassThrough } from 'node:stream'
import pino from 'pino'
import { expect, it } from 'vitest'
import { type Log, logOptions, withoutSearch } from './log.ts'

/** The lines that a logger of these options writes. */
function written(write: (log: Log) => void): Record<string, unknown>[] {
  const lines: string[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk) => lines.push(String(chunk)))
  write(pino({ ...logOptions, level: 'info' }, stream) as Log)
  return lines
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

it('writes no secret, in a line itself or in an object in it', () => {
  const [line] = written((log) => log.info({ password: 'one', of: { token: 'two', name: 'three' } }, 'said'))
  expect(line).toMatchObject({ password: '[Redacted]', of: { token: '[Redacted]', name: 'three' } })
})

it('writes the lines of requests like all others, and does not look for secrets in them', () => {
  const [one, other] = written((log) => {
    log.info({ act: 'request', status: 200 }, 'request')
    withoutSearch(log).info({ act: 'request', status: 200, token: 'none is ever here' }, 'request')
  })
  const { time, ...rest } = one ?? {}
  expect(time).toBeTypeOf('string')
  expect(other).toMatchObject({ ...rest, token: 'none is ever here' })
})

it('writes what an error says and where it came from', () => {
  const [line] = written((log) => log.error({ error: new Error('the cause') }, 'unexpected'))
  const { error } = line as { error: Error }
  expect(error.message).toBe('the cause')
  expect(error.stack).toContain('log.test.ts')
})

it('writes what an error and its cause say as one sentence', () => {
  const error = new Error('It did not answer in time.', { cause: new Error('the host is silent') })
  const [line] = written((log) => log.warn({ error }, 'unexpected'))
  expect((line as { error: Error }).error.message).toBe('It did not answer in time: the host is silent')
})
