/** What the server says to browsers, and what it never does. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publicFiles } from '../console/http/public-files.ts'
import { code, filesIn, importsOf, root } from './test-tree.ts'

describe('what the server says to browsers', () => {
  const ours = ['app', 'components', 'lib/client', 'lib/console', 'lib/contract'].flatMap(filesIn)

  it.each([
    ['Server Actions, which are a second way in beside the API', /['"]use server['"]/],
    [
      'a cache of pages, which would be shared by people',
      /['"]use cache['"]|unstable_cache|revalidate(Path|Tag)/,
    ],
    ['the image optimiser, which fetches for any sender', /['"]next\/(legacy\/)?image['"]/],
    ['HTML made of text', /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write/],
    ['code made of text', /\beval\(|new Function\(/],
  ])('uses none of: %s', (_, forbidden) => {
    expect(ours.length).toBeGreaterThan(100)
    expect(ours.filter((file) => forbidden.test(code(file)))).toEqual([])
  })

  it('proxy.ts decides nothing: it knows neither the sender nor the purpose, and refuses no request', () => {
    expect(importsOf('proxy.ts')).toEqual(['next/server', './lib/console/http/security-headers.ts'])
    expect(code('proxy.ts')).not.toMatch(
      /cookie|session|role|authoriz|pathname|nextUrl|redirect|rewrite|\.json\(/i,
    )
    expect(code('proxy.ts').match(/return /g)).toHaveLength(1)
  })
})

it('each file of public/ is one that browsers get without a session, and without a policy of a page', () => {
  const files = readdirSync(join(root, 'public')).map((name) => `/${name}`)
  expect(new Set(files)).toEqual(publicFiles)
  const [, pattern = ''] = readFileSync(join(root, 'proxy.ts'), 'utf8').match(/'(\/\(\(\?!.*)'/) ?? []
  const isPage = new RegExp(`^${pattern.replaceAll('\\\\', '\\')}$`)
  expect(['/', '/no-such-page', '/leases/icon.svg'].every((path) => isPage.test(path))).toBe(true)
  expect(files.filter((path) => isPage.test(path))).toEqual([])
})
