import { expect, test, untilDone } from '../console/console.ts'
import { elevate } from './elevate.ts'

test('a tab with a secret that was not copied asks before it closes, and lets go of one that was', async ({
  page,
  running,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.dismiss()
  })
  await page.goto(`${running.url}/settings/tokens?new=1`)
  const dialog = page.getByRole('dialog', { name: 'Make a token' })
  await dialog.getByLabel('Name', { exact: true }).fill('leaving')
  await dialog.getByRole('textbox', { name: 'Prefix 1' }).fill('leaving/')
  await dialog.getByRole('button', { name: 'Make the token' }).click()
  await elevate(page)
  const made = page.getByRole('dialog', { name: 'Token made' })
  await untilDone(dialog, 'Make the token', made)
  const secret = made.getByRole('status', { name: 'The token' })
  await expect(secret).toHaveText(/^lh_/)
  const token = await secret.textContent()

  await page.evaluate(() => location.assign('/audit'))
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await expect(secret, 'the page stays').toHaveText(token ?? '')

  // In the moment in which the page says so, not some time after it.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (!document.body.innerText.includes('Copied')) return
      observer.disconnect()
      const leaving = new Event('beforeunload', { cancelable: true })
      dispatchEvent(leaving)
      document.documentElement.dataset.stillAsks = String(leaving.defaultPrevented)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await page.getByRole('button', { name: 'Copy the token' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-still-asks', 'false')
  await page.evaluate(() => location.assign('/audit'))
  await expect(page).toHaveURL(/\/audit/)
  expect(asked).toEqual(['beforeunload'])
})
