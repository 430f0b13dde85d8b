import type { Page } from '@playwright/test'
import axe, { type Result, type RunOptions } from 'axe-core'
import { expect } from '../console/console.ts'

/** A colour scheme changes colours alone: in the second one, the rules about anything else would find the same again. */
const colourRules = ['color-contrast', 'link-in-text-block']
const options: Record<'light' | 'dark', RunOptions> = {
  light: {},
  dark: { runOnly: { type: 'rule', values: colourRules } },
}

/** @param selector what axe looks at; default: the page */
export async function violationsIn(
  page: Page,
  selector?: string,
  options: RunOptions = {},
): Promise<Result[]> {
  // Once a page: half a megabyte of script takes longer to load than to look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    ({ selector, options }) =>
      (window as unknown as { axe: typeof axe }).axe.run(selector ?? document, {
        ...options,
        resultTypes: ['violations'],
      }),
    { selector, options },
  )
  return violations
}

/** Fails on anything that axe calls serious, in either colour scheme, and on a page that scrolls sideways. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    for (const { id, impact, nodes } of await violationsIn(page, undefined, options[colorScheme]))
      if (impact === 'serious' || impact === 'critical')
        found.push(`${where}, ${colorScheme}: ${id} ${nodes.map(({ html }) => html.slice(0, 120))}`)
  }
  expect(found).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0)
}
