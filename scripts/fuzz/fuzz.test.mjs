import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { ROLES, readArguments } from './arguments.mjs'
import { fuzzAs } from './schemathesis.mjs'

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

it('no operation is left out: of a stream, its first events are read', async () => {
  const dir = temporaryFolder('fuzz')
  const program = join(dir, 'schemathesis.cjs')
  const writesArguments = `require('node:fs').writeFileSync(process.env.FUZZ_COUNTS, JSON.stringify(process.argv))`
  writeFileSync(program, `#!/usr/bin/env node\n${writesArguments}\n`, { mode: 0o755 })
  const { counts } = await fuzzAs(program, {
    role: 'admin',
    document: 'openapi.json',
    url: 'http://127.0.0.1:1',
    perRoute: 1,
    routes: [],
    seed: 1,
    seeded: {},
    password: 'x',
    dir,
    signal: new AbortController().signal,
    report: () => {},
  })
  const options = /** @type {unknown} */ (counts)
  expect(options).toContain('--max-examples')
  expect(options).not.toContain('--exclude-operation-id')
  const settings = readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8')
  expect(settings).toMatch(/^max-stream-events = 2$/m)
})
