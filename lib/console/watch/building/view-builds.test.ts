import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { buildsMax, ViewBuilds } from './view-builds.ts'

/** Steps that note their name. */
function* steps(name: string, noted: string[], count = 3): Generator<void, string> {
  for (let i = 0; i < count; i++) {
    noted.push(name)
    yield
  }
  return name
}

it('builds one after the other, those first whose sender asks for the fewest', async () => {
  const builds = new ViewBuilds(new FakeClock())
  const noted: string[] = []
  const all = ['ann', 'ann', 'ann', 'ben'].map((sender, i) =>
    builds.run(sender, steps(`${sender} ${i}`, noted, 2)),
  )
  await Promise.all(all)
  expect(noted.filter((_, i) => i % 2 === 0)).toEqual(['ann 0', 'ben 3', 'ann 1', 'ann 2'])
  expect(noted.filter((_, i) => i % 2 === 1)).toEqual(['ann 0', 'ben 3', 'ann 1', 'ann 2'])
})

it('refuses what a sender asks for beyond its share, at once; a build that fails counts no longer', async () => {
  const builds = new ViewBuilds(new FakeClock())
  const fails = () => ({
    next: (): IteratorResult<void, string> => {
      throw new Error('fails')
    },
  })
  for (let i = 0; i < buildsMax * 3; i++) await expect(builds.run('ann', fails())).rejects.toThrow('fails')
  const asked = Array.from({ length: buildsMax }, () => builds.run('ann', steps('a', [])))
  expect(() => builds.run('ann', steps('one more', []))).toThrow('Ask again in a second')
  expect(await builds.run('ben', steps('of ben', []))).toBe('of ben')
  expect(await Promise.all(asked)).toHaveLength(buildsMax)
})
