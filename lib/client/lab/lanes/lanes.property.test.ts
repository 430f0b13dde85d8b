/** The picture of any run of true tenures: one leader at a time, and the same picture however the journal came. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { journalOf, tenure, ttlSeconds } from '../../../contract/lab/test-tenures.ts'
import { LanesBuilder } from './lanes-builder.ts'

const tenures = fc.array(tenure, { minLength: 1, maxLength: 8 })

it('no two lead by Cassandra at once, and no two believe to', () => {
  fc.assert(
    fc.property(tenures, (all) => {
      const builder = new LanesBuilder({ ttlSeconds })
      builder.add(journalOf(all).entries)
      const picture = builder.live(builder.lastMs)
      const bands = picture.lanes.flatMap(({ leads }) => leads).toSorted((a, b) => a.fromMs - b.fromMs)
      expect(bands).toHaveLength(all.length)
      for (const [i, band] of bands.entries())
        expect(band.toMs).toBeLessThanOrEqual(bands[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY)
      expect(picture.overlaps).toEqual([])
      expect(picture.leader).toBeNull()
    }),
    { numRuns: 200, seed: 13 },
  )
})

it('an entry at a time, or all at once: the same picture at any time', () => {
  fc.assert(
    fc.property(
      tenures,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
      (all, shares) => {
        const { entries } = journalOf(all)
        const whole = new LanesBuilder({ ttlSeconds })
        whole.add(entries)
        const growing = new LanesBuilder({ ttlSeconds })
        const timesMs = shares.map((share) => Math.round(share * whole.lastMs))
        const then = new Map<number, string>()
        for (const [i, entry] of entries.entries()) {
          growing.add([entry])
          const nextMs = entries[i + 1]?.atMs ?? Number.POSITIVE_INFINITY
          for (const atMs of timesMs)
            if (entry.atMs <= atMs && atMs < nextMs) then.set(atMs, JSON.stringify(growing.live(atMs)))
        }
        for (const atMs of timesMs) expect(JSON.stringify(whole.at(atMs))).toBe(then.get(atMs))
      },
    ),
    { numRuns: 100, seed: 13 },
  )
})
