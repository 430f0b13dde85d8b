import { describe, expect, it } from 'vitest'
import { clientAddress } from './client-address.ts'

const from = (socketAddress: string | undefined, forwarded?: string) => ({
  headers: new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  socketAddress,
})

describe('where a request comes from', () => {
  it('is the address of the socket; an IPv4 one is written as such', () => {
    expect(clientAddress(from('192.0.2.1'), { trustProxy: false })).toBe('192.0.2.1')
    expect(clientAddress(from('::ffff:192.0.2.1'), { trustProxy: false })).toBe('192.0.2.1')
    expect(clientAddress(from('2001:db8::1'), { trustProxy: false })).toBe('2001:db8::1')
    expect(clientAddress(from(undefined), { trustProxy: false })).toBeNull()
  })

  it('is not taken from X-Forwarded-For, which any client can send', () => {
    expect(clientAddress(from('192.0.2.1', '203.0.113.9'), { trustProxy: false })).toBe('192.0.2.1')
  })

  it('is the last entry, when a proxy of ours wrote it', () => {
    const trusted = { trustProxy: true }
    expect(clientAddress(from('127.0.0.1', '203.0.113.9, 198.51.100.7'), trusted)).toBe('198.51.100.7')
    expect(clientAddress(from('127.0.0.1', '203.0.113.9, unknown'), trusted)).toBe('127.0.0.1')
    expect(clientAddress(from('127.0.0.1'), trusted)).toBe('127.0.0.1')
  })

  it('is the same whether the proxy writes a port or not', () => {
    const trusted = { trustProxy: true }
    expect(clientAddress(from('127.0.0.1', '198.51.100.7:52114'), trusted)).toBe('198.51.100.7')
    expect(clientAddress(from('127.0.0.1', '[2001:db8::1]:52114'), trusted)).toBe('2001:db8::1')
    expect(clientAddress(from('127.0.0.1', '[2001:db8::1]'), trusted)).toBe('2001:db8::1')
    expect(clientAddress(from('127.0.0.1', '2001:db8::1'), trusted)).toBe('2001:db8::1')
    expect(clientAddress(from('127.0.0.1', '[::ffff:198.51.100.7]:1'), trusted)).toBe('198.51.100.7')
    expect(clientAddress(from('127.0.0.1', '198.51.100.700:52114'), trusted)).toBe('127.0.0.1')
    expect(clientAddress(from('127.0.0.1', '[unknown]:1'), trusted)).toBe('127.0.0.1')
  })
})
