import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../scripts/process/registry.mjs'
import { performancePage, withPeers } from './documentation.mjs'

/** @param {string} file */
const text = (file) => readFileSync(join(ROOT, file), 'utf8')

/** @param {number[]} load @returns {import('./documentation.mjs').Kept} */
const kept = (load) => ({
  facts: { date: '2026-01-02 03:04', machine: '2 × chip', load, versions: { Node: '20' }, commit: 'abc' },
  command: 'npm run bench -- peers --docs',
  title: 'takeover',
  table: { columns: ['ms', 'p50'], rows: [['etcd', '12']] },
  notes: ['etcd 3'],
  claim: 'soon',
  holds: false,
  isQuick: false,
})

it('docs/performance.md and the table of docs/comparison.md are those of docs/performance.json', () => {
  const results = JSON.parse(text('docs/performance.json'))
  expect(text('docs/performance.md')).toBe(performancePage(results))
  expect(text('docs/comparison.md')).toBe(withPeers(text('docs/comparison.md'), results))
})

it('a section has the figures, the claim that does not hold, the machine and the command', () => {
  const page = performancePage({ peers: kept([0.1, 0.1, 4]) })
  for (const part of [
    '| etcd | 12 |',
    '**does not hold**',
    '2 × chip',
    '`npm run bench -- peers --docs`',
    '0.10, 0.10, 4.00',
  ])
    expect(page).toContain(part)
})

it('says so of a short run', () => {
  expect(performancePage({ peers: kept([0, 0, 0]) })).not.toContain('A short run')
  expect(performancePage({ peers: { ...kept([0, 0, 0]), isQuick: true } })).toContain('A short run')
})

it('says so when the machine was busy', () => {
  const words = 'Other programs were running'
  expect(performancePage({ peers: kept([0.1, 0.1, 4]) })).not.toContain(words)
  expect(performancePage({ peers: kept([0.1, 1.5, 4]) })).toContain(words)
})
