import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import { readConfig } from '../../start/config/config.ts'

const sso = (more: Record<string, string>) =>
  readConfig({ CASSANDRA_CONTACT_POINTS: '10.0.0.1', ...more }).sso
const issuer = { LEASEHOLD_OIDC_ISSUER: 'https://sso.example/realms/main' }
const client = { LEASEHOLD_OIDC_CLIENT_ID: 'leasehold' }

describe('single sign-on', () => {
  it('is off unless it is configured', () => {
    expect(sso({})).toBeNull()
  })

  it('has the defaults of the README', () => {
    expect(sso({ ...issuer, ...client })).toEqual({
      issuer: new URL('https://sso.example/realms/main'),
      clientId: 'leasehold',
      roleClaim: 'leasehold_role',
      nameClaim: null,
      label: 'sso.example',
    })
  })

  it('takes the secret from a file too', () => {
    const file = join(temporaryFolder('leasehold-sso'), 'secret')
    writeFileSync(file, 'of the client\n')
    expect(sso({ ...issuer, ...client, LEASEHOLD_OIDC_CLIENT_SECRET_FILE: file })?.clientSecret).toBe(
      'of the client',
    )
  })

  it.each([
    [client, 'LEASEHOLD_OIDC_CLIENT_ID is set without LEASEHOLD_OIDC_ISSUER.'],
    [issuer, 'LEASEHOLD_OIDC_ISSUER is set without LEASEHOLD_OIDC_CLIENT_ID.'],
    [{ LEASEHOLD_OIDC_LABEL: 'SSO' }, 'LEASEHOLD_OIDC_LABEL is set without LEASEHOLD_OIDC_ISSUER.'],
    [{ ...client, LEASEHOLD_OIDC_ISSUER: 'sso.example' }, 'LEASEHOLD_OIDC_ISSUER is not an https URL.'],
    [
      { ...client, LEASEHOLD_OIDC_ISSUER: 'http://sso.example' },
      'LEASEHOLD_OIDC_ISSUER is not an https URL; http is possible on loopback alone.',
    ],
    [
      { ...client, LEASEHOLD_OIDC_ISSUER: 'http://127.0.0.1.sso.example' },
      'LEASEHOLD_OIDC_ISSUER is not an https URL; http is possible on loopback alone.',
    ],
    [
      { ...client, LEASEHOLD_OIDC_ISSUER: 'https://sso.example/?x=1' },
      'LEASEHOLD_OIDC_ISSUER has a query or a fragment, which no issuer has.',
    ],
  ])('%j is refused', (given, sentence) => {
    expect(() => sso(given as Record<string, string>)).toThrow(sentence)
  })

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080/realms/x', 'http://[::1]:8080'])(
    '%s is loopback',
    (url) => {
      expect(sso({ ...client, LEASEHOLD_OIDC_ISSUER: url })?.issuer.href).toBe(new URL(url).href)
    },
  )
})
