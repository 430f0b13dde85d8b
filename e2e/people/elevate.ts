import { expect, type Page } from '@playwright/test'
import { admin } from '../console/running-console.ts'

/** Confirms the password, where the console asks for it. */
export async function elevate(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
  await dialog.getByLabel('Password of admin').fill(admin.password)
  // While Cassandra is too busy to answer it is refused, and may be pressed again.
  await expect(async () => {
    if ((await dialog.count()) > 0)
      await dialog.getByRole('button', { name: 'Confirm password' }).click({ timeout: 10_000 })
    await expect(dialog).toHaveCount(0, { timeout: 20_000 })
  }).toPass({ timeout: 120_000 })
}
