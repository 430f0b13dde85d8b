import { describe, expect, it } from 'vitest'
import { javaCandidates, noJavaSentence, parseJavaVersion } from './java.mjs'

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
