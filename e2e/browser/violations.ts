import type { Page, Response } from '@playwright/test'

/**
 * Why a 404 is expected: the test opened an address that leads nowhere; a lease is free, which the contract says by this
 * status; or the page is that of a release that is not there. null: it is not.
 */
async function expectedMissing(response: Response, page: Page): Promise<string | null> {
  const { pathname } = new URL(response.url())
  if (response.request().isNavigationRequest()) return 'a page'
  if (pathname.startsWith('/v1/releases/') && `/v1${new URL(page.url()).pathname}` === pathname)
    return 'a release'
  // null: the page was left, and its answers with it.
  const text = await response.text().catch(() => null)
  return text === null || text.includes('"code":"not-held"') ? 'a free lease' : null
}

/** What the browser reports from now on, in this and all further documents of the page. */
export async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = []
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.warn(`violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  })
  page.on('console', (message) => {
    const text = message.text()
    if (/^violation: |Content Security Policy|Permissions-Policy|hydrat/i.test(text))
      violations.push(`${page.url()}: ${text}`)
  })
  page.on('response', async (response) => {
    if (response.status() !== 404) return
    const from = page.url()
    if ((await expectedMissing(response, page)) === null) violations.push(`${from}: 404 ${response.url()}`)
  })
  page.on('pageerror', (error) => violations.push(`${page.url()}: ${error.message}`))
  return violations
}
