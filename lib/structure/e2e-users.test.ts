import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Names that a spec gives to users, and that are in every console or in none. */
const ofAll = ['admin', 'no-one']

it('no user of a console stands in two specs: those of one worker share it, and which do is chance', () => {
  const specs = readdirSync('e2e', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.spec.ts'),
  )
  const users = specs.flatMap((file) => {
    const text = readFileSync(`e2e/${file}`, 'utf8')
    const names = text.matchAll(/(?:username: |'User name'\)\.fill\()'([^']+)'/g)
    return [...new Set([...names].map(([, name]) => name as string))]
  })
  const twice = users.filter((name, i) => users.indexOf(name) !== i && !ofAll.includes(name))
  expect(specs.length).toBeGreaterThan(20)
  expect(twice).toEqual([])
})
