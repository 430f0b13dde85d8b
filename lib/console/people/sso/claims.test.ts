import { describe, expect, it } from 'vitest'
import { claimAt, personOf, roleIn } from './claims.ts'

describe('the role', () => {
  it.each([
    ['operator', 'operator'],
    ['leasehold:operator', 'operator'],
    ['leasehold-viewer', 'viewer'],
    [['viewer', 'admin', 'operator'], 'admin'],
    [['staff', 'leasehold:operator', 'viewer'], 'operator'],
    ['Admin', null],
    ['administrator', null],
    ['viewer operator', null],
    ['client', null],
    [{ admin: true }, null],
    [[['admin']], null],
    [undefined, null],
    [true, null],
  ])('of %j is %s', (claim, role) => {
    expect(roleIn(claim)).toBe(role)
  })
})

describe('a claim', () => {
  it('is found by its name, dots and all, before it is taken for a path', () => {
    expect(claimAt({ 'https://x.example/roles': 'admin' }, 'https://x.example/roles')).toBe('admin')
    expect(claimAt({ realm_access: { roles: ['admin'] } }, 'realm_access.roles')).toEqual(['admin'])
    expect(claimAt({ realm_access: { roles: ['admin'] } }, 'realm_access.roles.length.x')).toBeUndefined()
    expect(claimAt({}, 'constructor.name')).toBeUndefined()
  })
})

describe('the person', () => {
  const config = { roleClaim: 'leasehold_role', nameClaim: null } as never
  const claims = { iss: 'https://sso.example', sub: '42', leasehold_role: 'viewer' }
  const nameOf = (more: Record<string, unknown>, nameClaim: string | null = null) =>
    personOf({ ...claims, ...more }, { roleClaim: 'leasehold_role', nameClaim } as never).username

  it('is issuer and subject', () => {
    expect(personOf(claims, config)).toEqual({
      subject: 'https://sso.example 42',
      username: '42',
      role: 'viewer',
    })
  })

  it('is called by preferred_username, else by a verified address, else by the subject', () => {
    expect(nameOf({ preferred_username: 'ada', email: 'ada@x.example' })).toBe('ada')
    expect(nameOf({ email: 'ada@x.example' })).toBe('ada@x.example')
    expect(nameOf({ email: 'root@x.example', email_verified: false })).toBe('42')
  })

  it('is called by the claim that is configured, and by no other', () => {
    expect(nameOf({ preferred_username: 'ada', upn: 'lovelace' }, 'upn')).toBe('lovelace')
    expect(() => nameOf({ preferred_username: 'ada' }, 'upn')).toThrow(/no name in upn/)
  })

  it('has no name that begins like the owners of another person', () => {
    for (const name of ['ada@console:bob', '@console:', 'ada@console:'])
      expect(() => nameOf({ preferred_username: name })).toThrow(/cannot be used/)
    expect(nameOf({ preferred_username: 'ada@console' })).toBe('ada@console')
  })

  it('has a name without invisible characters', () => {
    for (const name of ['ada\u200b', 'ada ', '\tada', 'a\u2028da', 'x'.repeat(129)])
      expect(() => nameOf({ preferred_username: name })).toThrow(/cannot be used/)
  })
})
