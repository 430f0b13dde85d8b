import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { SECRET_VARIABLES, secretsInFiles, takeSecrets } from './secrets.mjs'

/** @type {string} */
let dir
beforeEach(() => {
  dir = temporaryFolder('leasehold-secrets')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('takes every secret out of an environment, and nothing else', () => {
  const env = { PATH: '/bin', CASSANDRA_USERNAME: 'w', LEASEHOLD_AUDIT_KEY: '', CASSANDRA_PASSWORD: 'pw' }
  expect(takeSecrets(env)).toEqual({ CASSANDRA_PASSWORD: 'pw' })
  expect(env).toEqual({ PATH: '/bin', CASSANDRA_USERNAME: 'w' })
})

describe('secrets in files', () => {
  const all = Object.fromEntries(SECRET_VARIABLES.map((name) => [name, `value of ${name} `]))
  it('are read there by name, are for their owner alone, and can be removed', () => {
    const { env, remove } = secretsInFiles({ PATH: '/bin', CASSANDRA_PASSWORD_FILE: '', ...all }, dir)
    expect(Object.keys(env).sort()).toEqual(
      ['PATH', ...SECRET_VARIABLES.map((name) => `${name}_FILE`)].sort(),
    )
    for (const name of SECRET_VARIABLES) {
      const file = env[`${name}_FILE`] ?? ''
      expect(readFileSync(file, 'utf8')).toBe(`value of ${name} `)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    }
    remove()
    expect(readdirSync(dir)).toEqual([])
  })
  it("leave a file of the user's, and a contradiction, to the server", () => {
    const given = {
      CASSANDRA_PASSWORD_FILE: '/run/w',
      LEASEHOLD_AUDIT_KEY: 'k',
      LEASEHOLD_AUDIT_KEY_FILE: '/run/k',
    }
    const { env, remove } = secretsInFiles(given, dir)
    expect(env).toEqual(given)
    remove()
  })
  it('of a process that was killed are removed by the next one, also when another process has its number', () => {
    const own = secretsInFiles(all, dir)
    const [ownName = ''] = readdirSync(dir)
    for (const name of [
      `secrets-${2 ** 22 + 1}-x`,
      'secrets-1-5f0c',
      `secrets-${process.pid}-another%2F1-x`,
    ]) {
      mkdirSync(join(dir, name))
      writeFileSync(join(dir, name, 'CASSANDRA_PASSWORD'), 'pw')
    }
    secretsInFiles({}, dir).remove()
    expect(readdirSync(dir)).toEqual([ownName])
    own.remove()
  })
})
