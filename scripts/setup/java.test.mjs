import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { javaCandidates, noJavaSentence, parseJavaVersion } from './java.mjs'
import { ensureToolchain } from './toolchain.mjs'

describe('parseJavaVersion', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', 17],
    ['openjdk version "11.0.2" 2019-01-15', 11],
    ['java version "1.8.0_392"', 8],
    ['openjdk version "21" 2023-09-19', 21],
    ['openjdk version "25.0.3" 2026-04-21 LTS', 25],
    ['Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "17.0.1"', 17],
  ])('%s', (output, major) => {
    expect(parseJavaVersion(output)?.major).toBe(major)
  })

  it('finds no version in the output of other programs', () => {
    expect(parseJavaVersion('bash: java: command not found')).toBeNull()
  })
})

describe('javaCandidates', () => {
  it('looks at JAVA_HOME first, then the PATH, then where systems keep theirs', () => {
    const list = (/** @type {string} */ dir) => (dir === '/usr/lib/jvm' ? ['java-17', 'java-25'] : [])
    expect(javaCandidates({ JAVA_HOME: '/opt/jdk', PATH: '/usr/bin:/bin:/usr/bin' }, list)).toEqual([
      '/opt/jdk/bin/java',
      '/usr/bin/java',
      '/bin/java',
      '/usr/lib/jvm/java-17/bin/java',
      '/usr/lib/jvm/java-25/bin/java',
    ])
  })
})

it('says which unsuitable Java there is, and what to do', () => {
  const sentence = noJavaSentence([{ path: '/usr/bin/java', version: '21.0.4', major: 21, home: '/usr' }])
  expect(sentence).toContain('only 21.0.4 at /usr/bin/java')
  expect(sentence).toMatch(/install one .*JAVA_HOME.*CASSANDRA_CONTACT_POINTS/)
  expect(noJavaSentence([])).toContain('this machine has none')
})

describe('a JAVA_HOME that cannot be used is named, beside the Java that is used', () => {
  const homeOf = (/** @type {string} */ version) => {
    const home = temporaryFolder('java-home')
    mkdirSync(join(home, 'bin'))
    writeFileSync(join(home, 'bin', 'java'), `#!/bin/sh\necho 'openjdk version "${version}"'\n`)
    chmodSync(join(home, 'bin', 'java'), 0o755)
    return home
  }
  const saidWith = async (/** @type {string} */ javaHome) => {
    const said = vi.fn()
    vi.stubEnv('JAVA_HOME', javaHome)
    vi.stubEnv('PATH', `${join(homeOf('17.0.1'), 'bin')}:${process.env.PATH}`)
    try {
      await ensureToolchain({ needMaven: false, report: said })
    } finally {
      vi.unstubAllEnvs()
    }
    return said.mock.lastCall?.[0]
  }
  it('names a folder without a Java', async () => {
    expect(await saidWith('/nonexistent')).toMatch(
      /^Java 17\.0\.1; JAVA_HOME \(\/nonexistent\) has no bin\/java that runs: using \/.*\/bin\/java$/,
    )
    expect(noJavaSentence([], { JAVA_HOME: '/nonexistent' })).toContain('JAVA_HOME, /nonexistent, has no')
  })
  it('names a Java that Cassandra does not run on', async () => {
    expect(await saidWith(homeOf('21.0.4'))).toMatch(
      /has Java 21\.0\.4, and Cassandra needs 11 or 17: using /,
    )
  })
  it('says nothing of one that is used', async () => {
    expect(await saidWith(homeOf('11.0.2'))).toBe('Java 11.0.2')
  })
})
