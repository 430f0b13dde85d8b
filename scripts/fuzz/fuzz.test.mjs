import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROLES, readArguments } from './arguments.mjs'

describe('arguments of npm run fuzz', () => {
  it('are 20,000 requests over every role, unless they say less', () => {
    expect(readArguments([])).toMatchObject({ requests: 20_000, roles: [...ROLES], routes: [] })
    expect(
      readArguments(['--requests', '50', '--role', 'anonymous,admin', '--route', 'putLock', '--seed', '7']),
    ).toEqual({
      help: false,
      requests: 50,
      roles: ['anonymous', 'admin'],
      routes: ['putLock'],
      seed: 7,
    })
  })
  it.each([[['--role', 'king']], [['--requests', 'many']], [['x']]])('%j are refused', (args) => {
    expect(() => readArguments(args)).toThrow(expect.objectContaining({ exitCode: 2 }))
  })
})

it('Schemathesis and all that it needs are pinned to one version each', () => {
  const lines = readFileSync(join(import.meta.dirname, 'requirements.txt'), 'utf8')
    .trim()
    .split('\n')
  expect(lines.filter((line) => !/^[A-Za-z0-9_.-]+==[0-9a-z.]+$/.test(line))).toEqual([])
  expect(lines).toContainEqual(expect.stringMatching(/^schemathesis==/))
})
