/** What the commands say while the embedded node is down, starting or ending: real commands, on a directory of their own. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodePlaces } from '../cassandra/settings/places.mjs'
import { embeddedNodeMissing } from '../console/environment.mjs'
import { claim, writePidFile } from '../process/pid-file.mjs'
import { ROOT } from '../process/registry.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { writeConnectionFile } from './connection-file.mjs'

/** @type {string} */
let dataDir
beforeEach(() => {
  dataDir = temporaryFolder('leasehold-missing')
  mkdirSync(nodePlaces(dataDir).home, { recursive: true })
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const commands = [
  ['cql.mjs', 'SELECT * FROM leases'],
  ['user.mjs', 'list'],
  ['audit.mjs', 'verify'],
  ['audit.mjs', 'restart', '--reason', 'a test'],
]

/** @param {string[]} command */
function stderrOf([script = '', ...args]) {
  const { CASSANDRA_CONTACT_POINTS: _, ...env } = process.env
  return spawnSync(process.execPath, [join(ROOT, 'scripts', script), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...env, LEASEHOLD_DATA_DIR: dataDir },
  }).stderr
}

describe.each(commands.map((command) => [command.slice(0, 2).join(' '), command]))('%s', (_, command) => {
  it('names npm start while no node is there', () => {
    expect(stderrOf(command)).toBe(
      `\nNo embedded Cassandra is running in ${dataDir}: start it with \`npm start\`, or set CASSANDRA_CONTACT_POINTS to a cluster of yours.\n`,
    )
  })
  it('says to wait while npm start brings it up', () => {
    claim(nodePlaces(dataDir).ownerFile)
    expect(stderrOf(command)).toMatch(
      /is still starting.*wait until `npm start` \(process \d+\) says.*system\.log/,
    )
  })
  it('says so while it ends', () => {
    writePidFile(nodePlaces(dataDir).ownerFile, process.pid, { ending: true })
    expect(stderrOf(command)).toMatch(/is ending \(process \d+\): start it with `npm start`/)
  })
})

const left = { contactPoint: '127.0.0.1:1', keyspace: 'k', username: 'u', password: 'p' }

it('names npm start where a killed start left its file behind', () => {
  writeConnectionFile(dataDir, left)
  expect(stderrOf(['cql.mjs', 'SELECT * FROM leases'])).toMatch(
    /^(Waiting for Cassandra .*\n)*\nNo embedded Cassandra is running in .* \(127\.0\.0\.1:1: .*ECONNREFUSED.*\): start it with `npm start`/,
  )
})

it('says the same of what the compiled console met there', () => {
  const cause = Object.assign(new Error('No host answered.'), { code: 'store-unavailable' })
  const error = Object.assign(new Error('Cassandra does not answer: No host answered.'), { cause })
  const here = { LEASEHOLD_EMBEDDED: '1', LEASEHOLD_DATA_DIR: dataDir }
  expect(embeddedNodeMissing(error, here)).toMatch(/\(No host answered\.\): start it with `npm start`/)
  expect(embeddedNodeMissing(cause, here)).toMatch(/start it with `npm start`/)
  expect(embeddedNodeMissing(error, {})).toBeNull()
  expect(embeddedNodeMissing(new Error('another'), here)).toBeNull()
})
