/** The holder changes while a release is on its way: nothing is released. */
import type { Page, Response } from '@playwright/test'
import { encodeSegment } from '../../lib/contract/path.ts'
import { test } from '../console/behind-gateway.ts'
import { expect, openPage, signInByRequest } from '../console/console.ts'
import type { Gateway } from '../console/gateway.ts'
import type { RunningConsole } from '../console/running-console.ts'
import { fillIn } from './releasing.ts'

test('refuses when the holder changed, and shows old and new side by side', async ({
  page,
  gateway,
  running,
}) => {
  await signInByRequest(page, running)
  let isLate = true
  for (let round = 1; isLate && round <= 4; round++)
    isLate = await holderChanges(page, gateway, running, `release/changed-${round}`)
  expect(isLate, 'each of four releases was answered after two seconds').toBe(false)
})

/**
 * Plays it with the lease of this name, which is free before and after.
 * @returns whether the answer was 202, because Cassandra needed more than two seconds. The page waits for the outcome then, and says it in
 * other words.
 */
async function holderChanges(
  page: Page,
  gateway: Gateway,
  running: RunningConsole,
  name: string,
): Promise<boolean> {
  const path = `/leases/${encodeSegment(name)}`
  await running.hold(name, { owner: 'old holder', value: 'epoch=1' })
  await openPage(page, running, path)
  await page.getByRole('button', { name: 'Release…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('old holder')
  await fillIn(page, dialog, 'Kill', { name })
  // A plan whose holder has changed locks with the next read: it changes while the release is on its way.
  gateway.onItsWay = async (method, path) => {
    if (method !== 'POST' || !path.endsWith('/release')) return
    await running.free(name, 'old holder')
    await running.hold(name, { owner: 'new holder', value: 'epoch=2' })
  }
  const answerOfPress = async () => {
    const isAnswer = (answer: Response) =>
      answer.request().method() === 'POST' && new URL(answer.url()).pathname.endsWith('/release')
    const answered = page.waitForResponse(isAnswer, { timeout: 70_000 })
    await dialog.getByRole('button', { name: 'Kill the lease' }).click()
    return (await answered).status()
  }
  let status = await answerOfPress()
  // While Cassandra is too busy to answer nothing is released, and it may be pressed again.
  for (let tries = 1; status === 503 && tries < 10; tries++) status = await answerOfPress()
  const isLate = status === 202
  await expect(dialog).toContainText(
    isLate
      ? `Not killed: ${name}, the holder had changed`
      : `Nothing was released: ${name}, the holder changed`,
  )
  const owners = dialog.getByRole('row').filter({ hasText: 'Owner' })
  await expect(owners.getByRole('cell').nth(0)).toContainText('old holder')
  await expect(owners.getByRole('cell').nth(1)).toContainText('new holder')
  expect((await running.api('GET', `/v1${path}`)).body.owner).toBe('new holder')
  if (isLate) {
    await dialog.getByRole('button', { name: 'Plan again' }).click()
    await dialog.getByRole('button', { name: 'Go on with the new holder' }).click()
    await expect(dialog.getByRole('region', { name: 'Who holds it' })).toContainText('new holder')
    await dialog.getByRole('radio', { name: 'Kill' }).check()
  } else {
    await dialog.getByRole('button', { name: 'Plan again for the new holder' }).click()
    await expect(dialog).toContainText('new holder')
    await expect(dialog.getByLabel('Reason')).toHaveValue('test')
  }
  await expect(dialog.getByLabel('Type the name')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await running.free(name, 'new holder')
  return isLate
}
