import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../scripts/test/temporary-folder.mjs'
import { signingKey } from './secret.ts'

const directory = () => temporaryFolder('leasehold-secret')
const auditKey = Buffer.alloc(32, 7).toString('base64')

it('is made once in a data directory, for its owner alone', () => {
  const dataDir = directory()
  const key = signingKey({ dataDir })
  expect(key).toHaveLength(32)
  expect(signingKey({ dataDir })).toEqual(key)
  expect(signingKey({ dataDir: directory() })).not.toEqual(key)
  expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600)
})

it('is the same for instances that share a key, and is not that key', () => {
  const key = signingKey({ dataDir: directory(), auditKey })
  expect(signingKey({ dataDir: directory(), auditKey })).toEqual(key)
  expect(key).not.toEqual(Buffer.from(auditKey, 'base64'))
})
