import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { findChromium } from './chromium.mjs'
import { makeDirectory } from './directory.mjs'
import { requireSpace } from './disk.mjs'
import { noMavenSentence } from './maven.mjs'
import { requireNode } from './node-version.mjs'
import { installFailure, missingPackages } from './packages.mjs'
import { isOnPath } from './programs.mjs'

/** @type {string} */
let dir
beforeEach(() => {
  dir = temporaryFolder('leasehold-setup')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('Node', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0'])('%s will do', (version) => {
    expect(requireNode(version)).toBe(version)
  })
  it.each(['18.20.4', '20.18.3'])('%s will not', (version) => {
    expect(() => requireNode(version)).toThrow(/needs Node.js 20.19 or newer, and this is/)
  })
})

describe('packages', () => {
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/for-another-platform': { version: '1.0.0', optional: true },
  }
  it('may lack what is optional', () => {
    expect(missingPackages(wanted, { 'node_modules/a': wanted['node_modules/a'] })).toEqual([])
  })
  it('are incomplete without a package, with another version, with other content', () => {
    expect(missingPackages(wanted, {})).toEqual(['node_modules/a'])
    for (const other of [
      { version: '1.0.1', integrity: 'sha512-a' },
      { version: '1.0.0', integrity: 'sha512-b' },
    ]) {
      expect(missingPackages(wanted, { 'node_modules/a': other })).toEqual(['node_modules/a'])
    }
  })
  it('that cannot be installed are explained', () => {
    expect(installFailure(null, 'log')).toMatch(/no npm on the PATH/)
    expect(installFailure('npm error code ENOSPC', 'log')).toMatch(/disk filled up.*free some space/)
    expect(installFailure('npm error code EAI_AGAIN', 'log')).toMatch(
      /could not download .*\(EAI_AGAIN\).*internet/,
    )
    expect(installFailure('npm error code X\nnpm error Something odd', 'log')).toContain('(Something odd)')
  })
})

describe('disk', () => {
  const stat = () => ({ bavail: 20, bsize: 1024 * 1024 })
  it('with room is passed in silence', () => {
    expect(requireSpace(dir, 20 * 1024 * 1024, stat)).toBeUndefined()
  })
  it('without room says how much there is and how much is needed', () => {
    expect(() => requireSpace(dir, 500 * 1024 * 1024, stat)).toThrow(/has 20 MB free, and 500 MB are needed/)
  })
})

describe('makeDirectory', () => {
  it('makes parents too, for the owner alone', () => {
    makeDirectory(join(dir, 'a', 'b'))
    expect(statSync(join(dir, 'a', 'b')).mode & 0o777).toBe(0o700)
    makeDirectory(join(dir, 'a', 'b'))
  })
  it('says that a file is in the way', () => {
    writeFileSync(join(dir, 'file'), '')
    expect(() => makeDirectory(join(dir, 'file'))).toThrow(/a file is in its place.*LEASEHOLD_DATA_DIR/)
    expect(() => makeDirectory(join(dir, 'file', 'below'))).toThrow(/a file is in its place/)
  })
  it.runIf(process.platform === 'linux')('ends where the system refuses without a reason', () => {
    expect(() => makeDirectory('/proc/leasehold')).toThrow(/cannot be made/)
  })
})

describe('Chromium', () => {
  it('is the one that CHROMIUM names', () => {
    expect(findChromium({ CHROMIUM: '/opt/c' }, () => true)).toBe('/opt/c')
    expect(() => findChromium({ CHROMIUM: '/opt/c' }, () => false)).toThrow(/CHROMIUM is set to \/opt\/c/)
  })
  it('is else the first of its names on the PATH', () => {
    const there = new Set(['/b/google-chrome', '/b/chromium'])
    expect(findChromium({ PATH: '/a:/b' }, (path) => there.has(path))).toBe('/b/chromium')
    there.add('/b/chromium-headless-shell')
    expect(findChromium({ PATH: '/a:/b' }, (path) => there.has(path))).toBe('/b/chromium-headless-shell')
    expect(findChromium({ PATH: '/a' }, (path) => there.has(path))).toBeNull()
  })
})

it('says how to get Maven', () => {
  expect(noMavenSentence('linux')).toMatch(/no working `mvn` on the PATH.*apt-get install maven/)
  expect(noMavenSentence('darwin')).toContain('brew install maven')
})

describe('programs', () => {
  it('are looked for on the PATH, and have to be executable', () => {
    writeFileSync(join(dir, 'there'), '', { mode: 0o755 })
    writeFileSync(join(dir, 'no-program'), '', { mode: 0o644 })
    const env = { PATH: `/nowhere::${dir}` }
    expect(['there', 'no-program', 'missing'].map((name) => isOnPath(name, env))).toEqual([
      true,
      false,
      false,
    ])
  })
})
