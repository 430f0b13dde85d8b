import { expect, it } from 'vitest'
import { checkOrigin } from './request-origin.ts'

const publicUrl = new URL('https://leases.example')
const ours = publicUrl.origin
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

function answers(method: string, headers: Record<string, string>, mayAct = true): 'passes' | 'refused' {
  try {
    checkOrigin({ method, headers: new Headers(headers) } as Request, { publicUrl }, { mayAct })
    return 'passes'
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'wrong-origin' })
    return 'refused'
  }
}

const cases: [string, Record<string, string>, 'passes' | 'refused'][] = [
  // What the console's own pages send.
  ['GET', { 'sec-fetch-site': 'same-origin' }, 'passes'],
  ['POST', { 'sec-fetch-site': 'same-origin', origin: ours }, 'passes'],
  // Typed into the address bar.
  ['GET', { 'sec-fetch-site': 'none', ...navigation }, 'passes'],
  // Programs, and browsers that know nothing of Sec-Fetch-Site.
  ['GET', {}, 'passes'],
  ['POST', { origin: ours }, 'passes'],
  ['POST', { 'sec-fetch-site': 'same-origin' }, 'passes'],
  ['POST', {}, 'refused'],
  ['POST', { 'sec-fetch-site': 'none' }, 'refused'],
  ['DELETE', {}, 'refused'],
  // Another site's page.
  ['POST', { origin: 'https://evil.example' }, 'refused'],
  ['POST', { origin: 'null' }, 'refused'],
  ['POST', { origin: 'http://leases.example' }, 'refused'],
  ['POST', { origin: 'https://leases.example:8443' }, 'refused'],
  ['POST', { origin: 'https://leases.example.evil.example' }, 'refused'],
  ['POST', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 'refused'],
  ['POST', { 'sec-fetch-site': 'cross-site', origin: ours }, 'refused'],
  ['POST', { 'sec-fetch-site': 'cross-site', ...navigation }, 'refused'],
  ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, 'refused'],
  [
    'GET',
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    'refused',
  ],
  ['HEAD', { 'sec-fetch-site': 'cross-site' }, 'refused'],
  [
    'GET',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    'refused',
  ],
  // A link, or the way back from a single sign-on.
  ['GET', { 'sec-fetch-site': 'cross-site', ...navigation }, 'passes'],
]

it.each(cases)('%s %j %s', (method, headers, expected) => {
  expect(answers(method, headers)).toBe(expected)
})

/** Where the server acts on nothing without credentials, the one difference: a request that says nothing of its origin. */
const says = ({ origin, 'sec-fetch-site': site = 'none' }: Record<string, string>) =>
  origin !== undefined || site !== 'none'

it.each(cases)('without credentials: %s %j', (method, headers, expected) => {
  expect(answers(method, headers, false)).toBe(says(headers) ? expected : 'passes')
})
