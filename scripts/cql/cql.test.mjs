import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.mjs'
import { plainValue, rowJson } from './row-json.mjs'

describe('arguments', () => {
  it('are a statement and its options', () => {
    expect(readArguments(['--serial', '--trace', ' SELECT 1; '])).toEqual({
      help: false,
      serial: true,
      trace: true,
      keyspace: undefined,
      statement: 'SELECT 1',
    })
  })
  it.each([
    [[], /statement is missing/],
    [['SELECT', '1'], /in quotes/],
    [['--sreial', 'SELECT 1'], /no option "--sreial"/],
    [['--serial', 'UPDATE t SET a = 1'], /--serial is for SELECT/],
    [['--keyspace'], /needs a name/],
  ])('%j are refused', (args, sentence) => expect(() => readArguments(args)).toThrow(sentence))
  it('that are wrong exit with 2', () => {
    expect(() => readArguments([])).toThrow(expect.objectContaining({ exitCode: 2 }))
  })
})

describe('values', () => {
  it('lose no digit', () => {
    expect(plainValue(9223372036854775807n)).toBe('9223372036854775807')
    expect(plainValue(new Date(1_700_000_000_123))).toBe('2023-11-14T22:13:20.123Z')
    expect(plainValue(Buffer.from([0, 255]))).toBe('0x00ff')
    expect(plainValue({ k: [1n, null, Number.NaN] })).toEqual({ k: ['1', null, 'NaN'] })
  })
  it('stand by their column, whatever its name', () => {
    const row = new Map([
      ['[applied]', true],
      ['__proto__', 1],
    ])
    expect(rowJson(row)).toBe('{"[applied]":true,"__proto__":1}')
  })
})
