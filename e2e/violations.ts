import type { Page } from '@playwright/test'

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
  page.on('pageerror', (error) => violations.push(`${page.url()}: ${error.message}`))
  return violations
}
