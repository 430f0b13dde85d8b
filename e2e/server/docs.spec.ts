/** The API reference: read and tried, within the page's own policy. */

import { watchViolations } from '../browser/violations.ts'
import { expect, test } from '../console/console.ts'

test('an operation is read and tried', async ({ page, running }) => {
  await running.hold('docs/lock', { owner: 'docs', value: 'v', ttlSeconds: 900 })
  const violations = await watchViolations(page)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(running.url))
      elsewhere.push(request.url())
  })
  await page.goto(running.url)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'OpenAPI document' })).toHaveAttribute(
    'href',
    '/v1/openapi.json',
  )

  const operation = page.locator('#operations-Locks-getLock')
  await operation.getByText('/v1/locks/{name}').click()
  await expect(operation.getByText('People: viewer or above.')).toBeVisible()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByPlaceholder('name', { exact: true }).fill('docs/lock')
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table')
  await expect(answer.getByText('200', { exact: true })).toBeVisible()
  await expect(answer.getByText('"docs"')).toBeVisible()
  // The browser's cookie is in no curl line; a program sends its token.
  await expect(operation.locator('.curl')).toContainText("-H 'Authorization: Bearer TOKEN'")

  expect(violations).toEqual([])
  expect(elsewhere).toEqual([])
  await running.free('docs/lock', 'docs')
})

test('fits a phone, light and dark', async ({ page, running }) => {
  const violations = await watchViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  // Loading it takes longer than looking at it: the scheme changes while it is there.
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${running.url}/docs`)
  const operation = page.locator('#operations-Locks-putLock')
  await operation.getByText('/v1/locks/{name}').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await expect(operation.getByRole('button', { name: 'Execute' })).toBeVisible()
    await expect(operation.getByRole('textbox').last()).toHaveValue(/"ttlSeconds": 60/)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, colorScheme).toBe(390)
    // The ground is the console's own, in both themes.
    const grounds = await page.evaluate(() => ({
      page: getComputedStyle(document.body).color,
      summary: getComputedStyle(document.querySelector('.swagger-ui .opblock-summary-path') as Element).color,
    }))
    expect(grounds.summary, colorScheme).toBe(grounds.page)
  }
  expect(violations).toEqual([])
})
