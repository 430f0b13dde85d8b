import AxeBuilder from '@axe-core/playwright'
import { expect, rowOf, test } from './console.ts'

for (const colorScheme of ['dark', 'light'] as const)
  test(`axe finds nothing serious, ${colorScheme}, at 1440 and at 390`, async ({ page, running }) => {
    const { owner } = await running.hold(`axe/${colorScheme}`, { value: 'v' })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const paths = [
      '/',
      `/leases/axe%2F${colorScheme}`,
      `/leases/axe%2F${colorScheme}?release=1`,
      '/leases/nobody',
      '/?new=1',
      '/?help=1',
      '/no-such-page',
      '/sign-in',
      '/setup#x',
    ]
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const path of paths) {
        await page.goto(running.url + path)
        await expect(page.getByRole('heading').first()).toBeVisible()
        if (path === '/') await expect(rowOf(page, `axe/${colorScheme}`)).toBeVisible()
        if (path.includes('=1')) await expect(page.getByRole('dialog')).toBeVisible()
        const { violations } = await new AxeBuilder({ page }).analyze()
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        expect(
          serious.map(
            ({ id, nodes }) => `${path} at ${width}: ${id} ${nodes.map(({ html }) => html.slice(0, 120))}`,
          ),
        ).toEqual([])
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${path} scrolls sideways at ${width}`).toBeLessThanOrEqual(0)
      }
    }
    await running.free(`axe/${colorScheme}`, owner)
  })
