import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './console.ts'

/** A colour scheme changes colours alone: in the second one, the rules about anything else would find the same again. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** Fails on anything that axe calls serious, in either colour scheme, and on a page that scrolls sideways. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // In the page itself: a second page for each look costs more than the look.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    if (colorScheme === 'dark') axe.withRules(colourRules)
    const { violations } = await axe.analyze()
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        found.push(`${where}, ${colorScheme}: ${id} ${nodes.map(({ html }) => html.slice(0, 120))}`)
  }
  expect(found).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0)
}
