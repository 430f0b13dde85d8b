import { expect, test } from 'vitest'
import { statePatch } from './state-patch.ts'
import type { UrlPatch } from './use-url-state.ts'

test('two keys pressed before the page is drawn again count both', () => {
  const params = new URLSearchParams('state=held,eternal')
  const apply = ({ state }: UrlPatch) => {
    if (state === undefined) params.delete('state')
    else params.set('state', state)
  }
  apply(statePatch(null)(params))
  apply(statePatch('zombie')(params))
  expect(params.get('state')).toBe('zombie')
  apply(statePatch('held')(params))
  apply(statePatch('zombie')(params))
  expect(params.get('state')).toBe('held')
})
