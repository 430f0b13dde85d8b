/** Takes a picture of what a page shows, at three widths, dark and light. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '../console/console.ts'

const folder = process.env.LEASEHOLD_PICTURES ?? ''
mkdirSync(folder, { recursive: true })

/** Width and height in pixels: a laptop, half of it, a telephone. */
const windows = [
  [1440, 900],
  [900, 1000],
  [390, 844],
] as const
/** For dialogs, whose content scrolls: as high as all of it. */
const highWindows = [
  [1440, 900],
  [900, 1000],
  [390, 1500],
] as const

const heightOf = async (page: Page, least: number) =>
  Math.max(least, await page.evaluate(() => document.documentElement.scrollHeight))

/**
 * Writes `<state>-<width>-<scheme>.png`, six of them.
 *
 * @param of 'page': all of it, however long; 'dialog': a dialog that is open, with what is behind it; 'window': what is in sight
 */
export async function take(
  page: Page,
  state: string,
  of: 'page' | 'dialog' | 'window' = 'page',
): Promise<void> {
  await page.mouse.move(3, 3)
  for (const [width, height] of of === 'dialog' ? highWindows : windows) {
    await page.setViewportSize({ width, height })
    // A window as high as the page: what is out of sight is not drawn.
    if (of === 'page') await page.setViewportSize({ width, height: await heightOf(page, height) })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      // Colours change over a moment.
      await page.evaluate(() =>
        Promise.allSettled(
          document
            .getAnimations()
            .filter((animation) => animation instanceof CSSTransition)
            .map(({ finished }) => finished),
        ),
      )
      await page.screenshot({ path: join(folder, `${state}-${width}-${colorScheme}.png`) })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}
