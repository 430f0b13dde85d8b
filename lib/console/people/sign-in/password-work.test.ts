import { expect, it } from 'vitest'
import { type Asker, PasswordWork } from './password-work.ts'

const stranger = (key: string): Asker => ({ known: false, key })
const known = (key: string): Asker => ({ known: true, key })

/** Work that the test ends. */
function bench() {
  const passwords = new PasswordWork()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, asker: Asker) =>
    passwords.run(asker, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { passwords, begun, ask, end }
}

it('does two at once, and the next when one is over, however it ends', async () => {
  const { passwords, begun, ask, end } = bench()
  const failing = passwords.run(stranger('a'), () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  for (const name of ['1', '2', '3', '4']) void ask(name, stranger(name))
  await end('')
  expect(begun).toEqual(['1', '2'])
  await end('2')
  expect(begun).toEqual(['1', '2', '3'])
  for (const name of ['1', '3', '4']) await end(name)
  void ask('5', stranger('a'))
  void ask('6', stranger('a'))
  void ask('7', stranger('a'))
  await end('')
  expect(begun).toEqual(['1', '2', '3', '4', '5', '6'])
})

it('takes those who are known first, and holds places for them', async () => {
  const { begun, ask, end } = bench()
  for (let i = 0; i < 18; i++) void ask(`${i}`, stranger(`${i}`))
  await expect(ask('too many', stranger('x'))).rejects.toMatchObject({
    code: 'too-many-attempts',
    headers: { 'Retry-After': '1' },
  })
  void ask('ann', known('ann'))
  await end('0')
  expect(begun).toEqual(['0', '1', 'ann'])
})

it('gives one address or session at most four places in the queue', async () => {
  const { ask } = bench()
  for (let i = 0; i < 6; i++) void ask(`${i}`, stranger('a'))
  await expect(ask('seventh', stranger('a'))).rejects.toMatchObject({ code: 'too-many-attempts' })
  void ask('other', stranger('b'))
  for (let i = 0; i < 4; i++) void ask(`${i} known`, known('a'))
  await expect(ask('known', known('a'))).rejects.toMatchObject({ code: 'too-many-attempts' })
})
