import { expect, it } from 'vitest'
import { type Io, outputOf, say, styled } from './io.ts'

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

it('a terminal that does not say its size is taken for one of 80 by 24', () => {
  const { columns, rows } = outputOf({ isTTY: true, columns: 0, rows: 0 } as NodeJS.WriteStream)
  expect([columns, rows]).toEqual([80, 24])
})
