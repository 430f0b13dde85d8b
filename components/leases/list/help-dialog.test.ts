import { expect, it } from 'vitest'
import { shortcuts } from './help-dialog.tsx'

it('the help says on which pages r releases a lease', () => {
  const text = shortcuts.find(([keys]) => keys[0] === 'r')?.[1]
  expect(text).toMatch(/page of a lease/)
  expect(text).toMatch(/needs attention/)
})
