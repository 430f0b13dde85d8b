import { expect, it } from 'vitest'
import { type Io, say, styled } from './io.ts'

const ioOn = (isTTY: boolean, env: Record<string, string> = {}) => {
  const heard: string[] = []
  const output = { write: (text: string) => void heard.push(text), isTTY, columns: 80, rows: 24 }
  return { heard, io: { env, stdout: output, stderr: output, onSignal: () => () => {} } satisfies Io }
}
const text = (isTTY: boolean, env?: Record<string, string>) => {
  const { io } = ioOn(isTTY, env)
  return styled(io, io.stdout, 'red', 'x')
}

it('colours text on a terminal alone, unless NO_COLOR is set', () => {
  expect(text(false)).toBe('x')
  expect(text(true, { NO_COLOR: '1' })).toBe('x')
  expect(text(true, { TERM: 'dumb' })).toBe('x')
  expect(text(true)).toBe('\x1b[31mx\x1b[39m')
})

it('writes each sentence on its own line', () => {
  const { io, heard } = ioOn(false)
  say(io, 'It is so.')
  expect(heard).toEqual(['leasehold: It is so.\n'])
})
