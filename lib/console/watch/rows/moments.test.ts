import { expect, it } from 'vitest'
import { Moments } from './moments.ts'

it('gives each row at its last moment alone, no sooner than it has come', () => {
  const moments = new Moments(0)
  moments.set('a', 150)
  moments.set('b', 990)
  moments.set('a', 450)
  expect(moments.take(200)).toEqual([])
  expect(moments.take(440)).toEqual([])
  expect(moments.take(500)).toEqual(['a'])
  moments.delete('b')
  expect(moments.take(5_000)).toEqual([])
})

it('takes what is over at the next step, and all of it after a long stop', () => {
  const moments = new Moments(1_000)
  moments.set('past', 10)
  moments.set('late', 3_600_000)
  moments.set('soon', 1_200)
  expect(moments.take(1_100)).toEqual(['past'])
  expect(moments.take(7_200_000)).toEqual(['soon', 'late'])
})
