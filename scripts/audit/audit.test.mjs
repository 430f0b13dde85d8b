import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../process/registry.mjs'
import { readArguments } from './arguments.mjs'

describe('arguments', () => {
  it('are a command and its options', () => {
    expect(readArguments(['verify', '--from', '2026-11-01', '--anchors', 'a', '--anchors', 'b'])).toEqual({
      command: 'verify',
      reason: undefined,
      from: '2026-11-01',
      to: undefined,
      anchors: ['a', 'b'],
      keyFiles: [],
    })
    expect(readArguments(['export', '--help']).command).toBe('help')
  })
  it.each([
    [[], /A command is missing/],
    [['verfy'], /no command "verfy"/],
    [['verify', 'x'], /one argument too many, "x"/],
    [['verify', '--form', '2026-11-01'], /'--form'/],
    [['verify', '--from', '2026-02-30'], /--from is not a day/],
    [['verify', '--from', '2026-11-02', '--to', '2026-11-01'], /--from is after --to/],
    [['export', '--key-file', 'x'], /are for verify/],
    [['restart'], /--reason is missing/],
    [['rekey', '--reason', 'x', '--from', '2026-11-21'], /rekey takes --reason and no other option/],
    [['verify', '--reason', 'x'], /--reason is for restart/],
  ])('%j are refused with 2', (args, sentence) => {
    expect(() => readArguments(args)).toThrow(sentence)
    expect(() => readArguments(args)).toThrow(expect.objectContaining({ exitCode: 2 }))
  })
})

it('a failure of any kind ends with 2: 1 says that the log was changed', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/audit.mjs'), 'verify'], {
    encoding: 'utf8',
    env: { ...process.env, CASSANDRA_CONTACT_POINTS: '127.0.0.1', PORT: 'none' },
  })
  expect(stderr).toContain('PORT')
  expect(status).toBe(2)
})
