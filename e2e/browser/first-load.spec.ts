import { gzipSync } from 'node:zlib'
import type { APIRequestContext } from '@playwright/test'
import { expect, rowOf, test } from '../console/console.ts'
import { watchViolations } from './violations.ts'

/**
 * Next and React are 140 kB of it. Gzipped, in bytes: what the page's HTML names, and so is fetched before it can be used.
 */
const most = { list: 200_000, signIn: 185_000 }

async function scriptBytes(request: APIRequestContext, address: string): Promise<number> {
  const html = await (await request.get(address)).text()
  const tags = [...html.matchAll(/<script[^>]* src="([^"]+)"[^>]*>/g)]
  // Those for browsers without modules are fetched by none that runs this console.
  const sources = tags.filter(([tag]) => !/nomodule/i.test(tag)).map(([, source]) => source as string)
  let bytes = 0
  for (const source of new Set(sources))
    bytes += gzipSync(await (await request.get(new URL(source, address).href)).body()).length
  return bytes
}

test('the rows of the first page are in its HTML, and live on in the browser', async ({ page, running }) => {
  await running.hold('html/first', { ttlSeconds: 600, value: 'in the page' })
  const address = `${running.url}/?prefix=html/`
  // A page does not wait long for its rows: where the read is late, it is shown without them.
  let html = ''
  const ask = async () => {
    html = await (await page.request.get(address)).text()
    return html
  }
  await expect.poll(ask, { timeout: 60_000 }).toContain('html/first')
  expect(html).toContain('in the page')
  expect(html).toMatch(/>0[89]:\d\d</)

  const violations = await watchViolations(page)
  await page.goto(address)
  const row = rowOf(page, 'html/first')
  // The digits of the owner before it may look like a time.
  await expect(row).toContainText(/held0[89]:\d\d/)
  await running.hold('html/second')
  await expect(rowOf(page, 'html/second')).toContainText('held')
  // It goes on counting, and is read again.
  let left: string | undefined
  const read = async () => {
    left = /held0\d:\d\d/.exec((await row.textContent()) ?? '')?.[0]
    return left
  }
  await expect.poll(read).toBeDefined()
  await expect(row).not.toContainText(left as unknown as string)
  await expect(row).toContainText(/confirmed (<1|[1-4]) s ago/)
  expect(violations).toEqual([])
})

test('a page fetches no more before it is shown than what shows it', async ({ page, browser, running }) => {
  expect(await scriptBytes(page.request, `${running.url}/`)).toBeLessThan(most.list)
  const stranger = await browser.newContext()
  expect(await scriptBytes(stranger.request, `${running.url}/sign-in`)).toBeLessThan(most.signIn)
  await stranger.close()
})

test('what comes later comes at the first touch, and an early press counts', async ({ page, running }) => {
  await page.goto(`${running.url}/`)
  await page.getByRole('button', { name: /theme and sign-out/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible()
  await page.keyboard.press('Escape')
  // While a menu is there the keys are its own, and the list's do nothing.
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
})
