import { expect, it } from 'vitest'
import { bucketOf, comparePartitions } from '../../lib/console/audit/chain/bucket.ts'
import { jsonOf } from '../../lib/console/audit/verify/entry-check.ts'
import { exportedEntries } from './export-entries.mjs'

const core = { bucketOf, comparePartitions, jsonOf }
const at = (/** @type {string} */ time) => JSON.stringify({ at: `2026-11-${time}:00.000Z` })

/** @param {Record<string, string[]>} log bodies by partition @param {{ from?: string, to?: string }} [days] */
async function exported(log, days = {}) {
  /** @type {string[]} */
  const reading = []
  const source = {
    buckets: async () => Object.keys(log).map((partition) => ({ partition })),
    async *rows(/** @type {string} */ partition) {
      reading.push(partition)
      for (const [i, body] of (log[partition] ?? []).entries())
        yield { seq: i + 1, body, prev: 'p', hash: `${partition}/${i + 1}` }
    },
  }
  const entries = []
  for await (const entry of exportedEntries(source, { from: undefined, to: undefined, ...days }, core))
    entries.push(entry)
  return { entries, hashes: entries.map(({ hash }) => hash), reading }
}

it('are those of both chains by time, each chain in its own order', async () => {
  const { hashes } = await exported({
    'refused:2026-11-22': [at('22T00:30')],
    'refused:2026-11-21': [at('21T09:00'), at('21T23:00')],
    'main:2026-11-21': [at('21T08:00'), at('21T10:00'), at('21T09:30'), at('21T11:00')],
    'main:2026-11-22#7': [at('22T01:00')],
  })
  expect(hashes).toEqual([
    'main:2026-11-21/1',
    'refused:2026-11-21/1',
    'main:2026-11-21/2',
    // Written by a console whose clock is behind: the chain says which one was first.
    'main:2026-11-21/3',
    'main:2026-11-21/4',
    'refused:2026-11-21/2',
    'refused:2026-11-22/1',
    'main:2026-11-22#7/1',
  ])
})

it('leave nothing out: a row that is no JSON comes after the one before it, and what is in no chain at the end', async () => {
  const { entries, hashes } = await exported({
    odd: [at('20T00:00')],
    'main:2026-11-21': [at('21T08:00'), 'no JSON', '[]', '{"at":8}', at('21T10:00')],
    'refused:2026-11-21': [at('21T09:00')],
  })
  expect(hashes).toEqual([
    ...[1, 2, 3, 4].map((seq) => `main:2026-11-21/${seq}`),
    'refused:2026-11-21/1',
    'main:2026-11-21/5',
    'odd/1',
  ])
  expect(entries[1]).toEqual({
    partition: 'main:2026-11-21',
    seq: 2,
    body: 'no JSON',
    prev: 'p',
    hash: 'main:2026-11-21/2',
  })
})

it('are those of the days that are wanted, and no other is read', async () => {
  const log = {
    'main:2026-11-20': [at('20T08:00')],
    'main:2026-11-21#3': [at('21T08:00')],
    'refused:2026-11-22': [at('22T08:00')],
    odd: [at('21T08:00')],
  }
  const { reading } = await exported(log, { from: '2026-11-21', to: '2026-11-21' })
  expect(reading).toEqual(['main:2026-11-21#3'])
})
