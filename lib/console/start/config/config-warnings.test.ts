import { expect, it } from 'vitest'
import { configWarnings } from './config-warnings.ts'

const https = new URL('https://locks.example.com')

it('warns of an https PUBLIC_URL without LEASEHOLD_TRUST_PROXY', () => {
  expect(configWarnings({ publicUrl: https, trustProxy: false })).toEqual([
    expect.stringContaining('LEASEHOLD_TRUST_PROXY is 0'),
  ])
  expect(configWarnings({ publicUrl: https, trustProxy: true })).toEqual([])
  expect(configWarnings({ publicUrl: new URL('http://localhost:3000'), trustProxy: false })).toEqual([])
})
