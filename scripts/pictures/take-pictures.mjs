import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../setup/chromium.mjs'
import { atRisk } from './demo-leases.mjs'
import { takeLab } from './take-lab.mjs'

/**
 * The pages, dark, at 1440 pixels, each when it shows what it is a picture of.
 *
 * @param {{ url: string, folder: string, session: string, labAlone: boolean }} options session: a cookie
 */
export async function takePictures({ url, folder, session, labAlone }) {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      colorScheme: 'dark',
      timezoneId: 'UTC',
    })
    const [name = '', value = ''] = session.split(/=(.*)/)
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    if (!labAlone) await takePages(page, url, folder)
    await takeLab(page, url, folder)
  } finally {
    await browser.close()
  }
}

/** @param {import('@playwright/test').Page} page @param {string} url @param {string} folder */
async function takePages(page, url, folder) {
  const take = async (/** @type {string} */ file) => {
    await page.mouse.move(720, 890)
    await page.screenshot({ path: join(folder, file) })
  }

  await page.goto(url)
  const row = page.getByRole('row').filter({ hasText: atRisk.name })
  await row.getByText('at risk').waitFor({ timeout: 90_000 })
  await take('leases.png')

  await row.getByRole('link').click()
  await page.getByText('Renewals are missing.').waitFor()
  await page.getByRole('region', { name: 'What Cassandra said' }).waitFor()
  await page.getByRole('region', { name: 'History' }).getByRole('table').waitFor()
  await take('lease.png')

  await page.goto(`${url}/attention`)
  await page.getByRole('link', { name: atRisk.name }).waitFor()
  await take('attention.png')

  await page.goto(`${url}/settings/doctor`)
  await page.getByRole('row').filter({ hasText: 'Replication' }).waitFor()
  await take('doctor.png')

  await page.goto(`${url}/audit`)
  await page.getByRole('row').filter({ hasText: 'INC-4473' }).waitFor()
  await take('audit.png')
}
