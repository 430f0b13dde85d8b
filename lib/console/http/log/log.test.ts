import { PassThrough } from 'node:stream'
import pino from 'pino'
import { expect, it } from 'vitest'
import { logOptions } from './log.ts'

it('writes what an error says and where it came from', () => {
  const lines: string[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk) => lines.push(String(chunk)))
  pino({ ...logOptions, level: 'info' }, stream).error({ error: new Error('the cause') }, 'unexpected')
  const { error } = JSON.parse(lines.join(''))
  expect(error.message).toBe('the cause')
  expect(error.stack).toContain('log.test.ts')
})
