import { expect, it } from 'vitest'
import { runTasks } from './tasks.mjs'

const never = new AbortController().signal

/** Tasks that end on a call of the test, and a record of their events. */
function stage() {
  /** @type {string[]} */
  const seen = []
  /** @type {Map<string, (result?: unknown) => void>} */
  const ends = new Map()
  const task = (/** @type {string} */ name, /** @type {string[]} */ ...needs) => ({
    needs,
    run: (/** @type {AbortSignal} */ signal) =>
      new Promise((resolve, reject) => {
        seen.push(`${name} begins`)
        ends.set(name, (result) => {
          seen.push(`${name} ends`)
          if (result instanceof Error) reject(result)
          else resolve(result)
        })
        signal.addEventListener('abort', () => {
          if (seen.includes(`${name} ends`)) return
          seen.push(`${name} is ended`)
          reject(signal.reason)
        })
      }),
  })
  const settled = () => new Promise((done) => setImmediate(done))
  const end = async (/** @type {string} */ name, /** @type {unknown} */ result = undefined) => {
    await settled()
    ends.get(name)?.(result)
    await settled()
  }
  return { seen, task, end, settled }
}

it('begin when what they need has ended; what is not wanted is not waited for', async () => {
  const { seen, task, end, settled } = stage()
  const all = runTasks({ a: task('a'), b: task('b', 'a', 'not wanted'), c: task('c') }, never)
  await settled()
  expect(seen).toEqual(['a begins', 'c begins'])
  await end('a')
  expect(seen.slice(2)).toEqual(['a ends', 'b begins'])
  await end('b')
  await end('c')
  expect(await all).toBe(true)
})

it('end when one of them fails, and no other begins', async () => {
  const { seen, task, end } = stage()
  const all = runTasks({ a: task('a'), b: task('b', 'a'), c: task('c') }, never)
  await end('a', false)
  expect(await all).toBe(false)
  expect(seen).toEqual(['a begins', 'c begins', 'a ends', 'c is ended'])
})

it('throw what the first of them threw, not what its end made of the others', async () => {
  const { task, end } = stage()
  const all = runTasks({ a: task('a'), c: task('c') }, never)
  await Promise.all([expect(all).rejects.toThrow('disk'), end('a', new Error('disk'))])
})

it('end when the run is interrupted', async () => {
  const { seen, task, settled } = stage()
  const interruption = new AbortController()
  const all = runTasks({ a: task('a'), b: task('b', 'a') }, interruption.signal)
  await settled()
  interruption.abort(new Error('Ctrl-C'))
  await expect(all).rejects.toThrow('Ctrl-C')
  expect(seen).toEqual(['a begins', 'a is ended'])
})

it('that need themselves are refused', async () => {
  const { task } = stage()
  await expect(runTasks({ a: task('a', 'b'), b: task('b', 'a') }, never)).rejects.toThrow('a → b → a')
})
