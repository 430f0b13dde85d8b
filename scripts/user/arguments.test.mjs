import { describe, expect, it } from 'vitest'
import { roles } from '../../lib/contract/people/rights.ts'
import { readArguments } from './arguments.mjs'

const read = (/** @type {string} */ line) => readArguments(line.split(' ').filter(Boolean))

describe('npm run user', () => {
  it('says how it is used, when nothing or --help is said', () => {
    for (const line of ['', '--help', 'add ann --help']) expect(read(line).help).toBe(true)
  })

  it('reads its commands', () => {
    expect(read('add ann --role operator')).toMatchObject({
      act: 'add',
      username: 'ann',
      role: 'operator',
      password: 'asked',
    })
    expect(read('add ann --generate --role viewer').password).toBe('generated')
    expect(read('passwd ann --password-stdin')).toMatchObject({ act: 'passwd', password: 'stdin' })
    expect(read('role ann admin')).toMatchObject({ act: 'role', role: 'admin', password: 'none' })
    expect(read('disable ann')).toMatchObject({ act: 'disable', username: 'ann' })
    expect(read('passwd ann --repair')).toMatchObject({ act: 'passwd', repair: true })
    expect(read('add ann --role viewer --subject x --repair')).toMatchObject({
      subject: 'x',
      password: 'none',
    })
    expect(read('list')).toMatchObject({ act: 'list', help: false })
  })

  it.each(roles)('takes the role %s', (role) => expect(read(`add ann --role ${role}`).role).toBe(role))

  it.each([
    ['remove ann', 'There is no command "remove"'],
    ['add', 'add needs a NAME'],
    ['add ann', 'add needs a role'],
    ['role ann', 'role needs a role'],
    ['add ann --role', '--role needs a role'],
    ['add ann --role boss', 'The role is viewer, operator or admin'],
    ['role ann boss', 'The role is viewer, operator or admin'],
    ['passwd ann --role admin', 'passwd takes no role'],
    ['disable ann --generate', 'disable takes no password'],
    ['passwd ann --generate --password-stdin', 'cannot be combined'],
    ['add ann secret --role viewer', 'one argument too many, "secret"'],
    ['list ann', 'one argument too many, "ann"'],
    ['list --repair', 'list takes no --repair'],
    ['add ann --role viewer --subject x', '--subject needs add and --repair'],
    ['add ann --role viewer --repair --subject', '--subject needs "ISSUER'],
    ['add ann --role viewer --repair --subject x --generate', 'add takes no password'],
    ['add ann --password x', 'There is no option "--password"'],
  ])('refuses %s', (line, sentence) => {
    try {
      read(line)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ exitCode: 2 })
      expect(String(error)).toContain(sentence)
    }
  })
})
