import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ReleasePlan } from '../../../lib/contract/releases/release.ts'
import { ModeCards } from './mode-cards.tsx'

const drawn = (quarantineMs: number | null) => {
  const breaking = { allowed: quarantineMs !== null, overlapMs: 0, quarantineMs, reason: 'no expiry' }
  const modes = {
    ask: { allowed: true, overlapMs: 0, quarantineMs: null },
    break: breaking,
    kill: { allowed: true, overlapMs: null, quarantineMs: null },
  } as unknown as ReleasePlan['modes']
  return renderToStaticMarkup(
    createElement(ModeCards, {
      modes,
      mode: 'ask',
      isChosen: true,
      onMode: () => {},
      lost: false,
      locked: false,
    }),
  )
}

it('a break that no quarantine makes safe does not promise one holder at a time', () => {
  expect(drawn(35_000)).toContain('Never two holders at once, if the old one keeps to its deadline')
  expect(drawn(null)).not.toContain('if the old one keeps to its deadline')
})
