/** Which failures of a write are a proof that nothing was sent. */
import { expect, it } from 'vitest'
import { HttpLeaseStore } from './lease-store.ts'
import { LeaseholdServer } from './server.ts'

const system = (syscall: string, code: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })

/** The code of the error of an acquisition whose `fetch` fails for this cause. */
async function codeOf(cause: unknown): Promise<unknown> {
  const send = async () => {
    throw Object.assign(new TypeError('fetch failed'), { cause })
  }
  const server = new LeaseholdServer({ url: 'http://console.example', fetch: send as typeof fetch })
  const write = { name: 'job', owner: 'a', value: null, ttlSeconds: 30 }
  return new HttpLeaseStore(server).acquire(write).catch((thrown) => thrown.code)
}

// As Linux gives it: an ICMP error of an established connection ends its read once the retransmissions are used up.
it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'ETIMEDOUT'])(
  'a read that ends with %s on an established connection is no proof',
  async (code) => expect(await codeOf(system('read', code))).toBe('statement-unknown'),
)

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
  'a connect that ends with %s is a proof',
  async (code) => {
    expect(await codeOf(system('connect', code))).toBe('store-unavailable')
    // One error for each address of the host.
    const errors = [system('connect', code), system('connect', 'EHOSTUNREACH')]
    expect(await codeOf(Object.assign(new AggregateError(errors), { code }))).toBe('store-unavailable')
  },
)

it('one address that could not be reached is no proof, where an attempt at another one was past its connection', async () => {
  const errors = [system('connect', 'ECONNREFUSED'), system('read', 'ECONNRESET')]
  for (const some of [errors, errors.toReversed()])
    expect(await codeOf(new AggregateError(some))).toBe('statement-unknown')
})

it('a name that is not found is a proof', async () => {
  expect(await codeOf(system('getaddrinfo', 'ENOTFOUND'))).toBe('store-unavailable')
})
