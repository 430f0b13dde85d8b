import type { Locator } from '@playwright/test'
import { expect, openPage, rowOf, test } from '../console/console.ts'

/** How far what leads to the leaf is from the leaf, as they are drawn, in pixels. */
const gap = (row: Locator) =>
  row.locator('.path').evaluate((path) => {
    const [lead, leaf] = ['.lead', '.leaf'].map((part) => {
      const range = document.createRange()
      range.selectNodeContents(path.querySelector(part) as Element)
      return range.getBoundingClientRect()
    })
    if (!lead || !leaf) throw new Error('it has no two parts')
    // In a name that is written from right to left, the leaf is on the left.
    return Math.min(Math.abs(leaf.left - lead.right), Math.abs(lead.left - leaf.right))
  })

/** Whether the last letters of a name are on the screen. */
const showsEnd = (row: Locator) =>
  row.getByRole('link').evaluate((link) => {
    link.scrollIntoView({ block: 'center' })
    const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
    let last = walker.nextNode() as Text
    while (walker.nextNode()) last = walker.currentNode as Text
    const range = document.createRange()
    range.setStart(last, Math.max(0, last.length - 3))
    range.setEnd(last, last.length)
    const { left, top, width, height } = range.getBoundingClientRect()
    const at = document.elementFromPoint(left + width / 2, top + height / 2)
    return at !== null && link.contains(at)
  })

test('two names that differ by a space or at their end look different in the list', async ({
  page,
  running,
}) => {
  const long = `x/${'very-long-name-'.repeat(15)}`
  // Names of one leaf are shown whole.
  const short = ['x/ça', 'xy/noël', 'أ/ب']
  const names = [...short, 'x/été', 'x /été', `${long}end`, `${long}ENX`, `${'team-'.repeat(40)}/leader`]
  const leases = await Promise.all(names.map((name) => running.hold(name)))
  await openPage(page, running)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 })
    for (const name of names) await expect(rowOf(page, name)).toBeVisible()
    for (const name of short) expect(await gap(rowOf(page, name)), `${name} at ${width} px`).toBeLessThan(1)
    for (const name of names) expect(await showsEnd(rowOf(page, name)), `${name} at ${width} px`).toBe(true)
  }
  await expect(rowOf(page, `${long}ENX`).getByRole('cell').first()).toHaveAttribute('title', `${long}ENX`)

  // The dialog and the palette, from which a lease is released too.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${running.url}/?release=${encodeURIComponent(`${long}ENX`)}`)
  const title = page.getByRole('dialog').getByRole('heading', { level: 2 })
  await expect(title).toHaveText(`Release ${long}ENX`)
  expect(await title.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
  expect(await title.locator('.long-name').evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
  await Promise.all(names.map((name, i) => running.free(name, leases[i]?.owner ?? '')))
})
