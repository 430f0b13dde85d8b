import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Release } from '../../../lib/contract/releases/release.ts'
import { OtherAct } from './other-act.tsx'

const at = (time: string) => `2026-11-20T${time}Z`
const kill = {
  id: 'release-1',
  mode: 'kill',
  outcome: 'released',
  plannedBy: 'ann',
  approval: null,
  reason: 'INC-1',
  requestedAt: at('03:14:01.900'),
  steps: [
    { what: 'Delete sent', at: at('03:14:02.010'), ok: true },
    { what: 'Cassandra answered', at: at('03:14:02.036'), ok: true },
  ],
} as unknown as Release
const said = (over: Partial<Release>) =>
  renderToStaticMarkup(createElement(OtherAct, { release: { ...kill, ...over } }))
    .replace(/<[^>]*>/g, '')
    .replace(/2026-11-20 /g, '')

const approval = { by: 'bea', at: at('03:20:00.000'), reason: null, until: at('03:29:01.900') }

it('says when the act took effect, not when it was asked for', () => {
  expect(said({})).toBe('ann killed it at 03:14:02 UTC: “INC-1”. See that release')
  expect(said({ approval })).toMatch(/^ann killed it, approved by bea, at 03:14:02 UTC/)
})

it('the time of the request does not pass for that of an effect that is not known', () => {
  expect(said({ steps: [] })).toMatch(/^ann killed it, asked for at 03:14:01 UTC/)
  expect(said({ steps: [], approval })).toMatch(/^ann killed it, approved by bea, asked for at 03:14:01 UTC/)
  expect(said({ outcome: 'pending' })).toBe(
    'ann asked to kill it at 03:14:01 UTC: “INC-1”. Whether that took effect is not known. See that release',
  )
})
