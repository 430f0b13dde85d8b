import { expect, it } from 'vitest'
import { enough, judged } from './test-truth.ts'

it('what the stream says is confirmed was true when it was read, for half a minute of random work', async () => {
  const { wrong, rows, gone, tenures } = await judged(`truth_${Date.now().toString(36)}`, 30)
  expect(wrong).toEqual([])
  // Else nothing was judged.
  expect(rows).toBeGreaterThan(enough.rows)
  expect(gone).toBeGreaterThan(enough.gone)
  expect(tenures).toBeGreaterThan(enough.tenures)
})
