/** The dialog of a forced release, up to the button. */
import { test as bare, expect } from '../console/console.ts'
import { startConsole } from '../console/running-console.ts'
import { browserOf, elevate, fillIn, makeOperators, openRelease, operators } from '../releases/releasing.ts'
import { take } from './camera.ts'
import { keepRenewing, test } from './demo.ts'

const name = 'billing/settlement'
const lock = { owner: 'ip-10-0-3-17:4122:4c1be07d59a2:2a', ttlSeconds: 60, value: 'batch=2026-11-20;page=12' }

test('ask, break and kill: plan, elevation, reason, typed name', async ({ page, running }) => {
  await running.hold(name, lock)
  const end = keepRenewing(running, name, lock)
  try {
    let dialog = await openRelease(page, running, name)
    await take(page, 'release-1-ask', 'dialog')
    await dialog.getByRole('radio', { name: 'Break' }).check()
    await take(page, 'release-2-break', 'dialog')
    await dialog.getByRole('radio', { name: 'Kill' }).check()
    await take(page, 'release-3-kill', 'dialog')
    dialog = await openRelease(page, running, name)
    await dialog.getByRole('radio', { name: 'Break' }).check()
    await dialog.getByRole('button', { name: 'Confirm password…' }).click()
    await expect(page.getByLabel(/^Password of/)).toBeVisible()
    await take(page, 'release-4-elevation', 'dialog')
    // A plan is good for a minute, and each state takes six pictures.
    dialog = await openRelease(page, running, name)
    await dialog.getByRole('radio', { name: 'Break' }).check()
    await dialog.getByRole('button', { name: 'Confirm password…' }).click()
    await page.getByLabel(/^Password of/).fill('not the password')
    await page.getByRole('button', { name: 'Confirm password', exact: true }).click()
    await expect(page.getByText('Wrong password.')).toBeVisible()
    await take(page, 'release-4-elevation-wrong', 'dialog')
    dialog = await openRelease(page, running, name)
    await dialog.getByRole('radio', { name: 'Break' }).check()
    await elevate(page, dialog)
    await take(page, 'release-5-elevated', 'dialog')
    dialog = await openRelease(page, running, name)
    await fillIn(page, dialog, 'Break', { name: 'billing/settlemen', reason: 'INC-4476: pays twice' })
    await take(page, 'release-5-name-half-typed', 'dialog')
    await fillIn(page, dialog, 'Break', { name, reason: 'INC-4476: pays twice' })
    await take(page, 'release-6-break-ready', 'dialog')
    dialog = await openRelease(page, running, name)
    await fillIn(page, dialog, 'Kill', { name, reason: 'INC-4476: pays twice' })
    await take(page, 'release-6-kill-ready', 'dialog')
  } finally {
    end()
  }
})

test('plans that died, and what others do', async ({ page, browser, running }) => {
  await makeOperators(running)
  await running.hold('billing/expired', { ...lock, ttlSeconds: 300 })
  await running.hold('billing/others', { ...lock, ttlSeconds: 300 })
  const ann = await browserOf(browser, running, operators.ann)
  let theirs = await openRelease(ann, running, 'billing/others')
  await expect(theirs.getByRole('radio', { name: 'Kill' })).toBeDisabled()
  await take(ann, 'release-by-operator', 'dialog')

  let dialog = await openRelease(page, running, 'billing/others')
  await theirs.getByLabel('Reason').fill('INC-4477: make room')
  await theirs.getByRole('button', { name: 'Ask to resign' }).click()
  await expect(theirs).toContainText('no answer yet')
  await expect(dialog).toContainText(/asked/)
  await take(page, 'release-others-asked', 'dialog')

  theirs = await openRelease(ann, running, 'billing/others')
  await fillIn(ann, theirs, 'Break', { name: 'billing/others', reason: 'INC-4477', user: operators.ann })
  await theirs.getByRole('button', { name: 'Break the lease' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Another person broke this lease.')
  await take(page, 'release-dead-broken', 'dialog')
  await ann.context().close()

  await running.hold('billing/freed', lock)
  dialog = await openRelease(page, running, 'billing/freed')
  await running.free('billing/freed', lock.owner)
  await expect(dialog.getByText('your plan is no longer valid')).toBeVisible()
  await take(page, 'release-dead-free', 'dialog')

  dialog = await openRelease(page, running, 'billing/expired')
  await dialog.getByLabel('Reason').fill('INC-4478')
  await expect(dialog.getByText('your plan expired')).toBeVisible({ timeout: 90_000 })
  await take(page, 'release-dead-expired', 'dialog')
})

bare('a lease that needs two people', async ({ browser }) => {
  const running = await startConsole({
    env: { LEASEHOLD_CONFIG: JSON.stringify({ secondPersonFor: ['payments/'], secondPersonAfterHours: 0 }) },
  })
  const { ann, ben } = operators
  try {
    await makeOperators(running)
    const asker = await browserOf(browser, running, ann)
    const approver = await browserOf(browser, running, ben)
    const request = async (lease: string) => {
      await running.hold(lease, { ...lock, ttlSeconds: 180 })
      const dialog = await openRelease(asker, running, lease)
      await fillIn(asker, dialog, 'Break', { name: lease, user: ann, reason: 'INC-4479: pays twice' })
      if (lease === 'payments/a') await take(asker, 'release-two-1-plan', 'dialog')
      await dialog.getByRole('button', { name: 'Request a break' }).click()
      await expect(dialog).toContainText('waiting for approval')
      return dialog
    }
    const approved = await request('payments/a')
    await take(asker, 'release-two-2-requested', 'dialog')
    await approver.getByRole('button', { name: '1 waits for approval' }).click()
    await expect(approver.getByRole('menuitem', { name: /payments\/a/ })).toBeVisible()
    await take(approver, 'release-two-3-menu', 'window')
    await approver.getByRole('menuitem', { name: /payments\/a/ }).click()
    await expect(approver.getByRole('button', { name: /^Approve/ })).toBeVisible()
    await take(approver, 'release-two-4-approver')
    await elevate(approver, approver.getByRole('main'), ben)
    await take(approver, 'release-two-5-approver-elevated')
    await approver.getByRole('button', { name: /^Approve/ }).click()
    await expect(approver.getByRole('heading', { name: /^Broken: payments\/a/ })).toBeVisible()
    await take(approver, 'release-two-6-approved')
    await expect(approved).toContainText('Broken: payments/a')
    await take(asker, 'release-two-7-approved-asker', 'dialog')

    const rejected = await request('payments/b')
    await approver.getByRole('button', { name: '1 waits for approval' }).click()
    await approver.getByRole('menuitem', { name: /payments\/b/ }).click()
    await approver.getByLabel('Why not').fill('the run ends in a minute')
    await approver.getByRole('button', { name: 'Reject' }).click()
    await expect(rejected).toContainText('Break rejected: payments/b')
    await take(asker, 'release-two-8-rejected', 'dialog')

    await request('payments/c')
    await asker.goto(`${running.url}/`)
    await asker.getByRole('button', { name: '1 waits for approval' }).click()
    await asker.getByRole('menuitem', { name: /payments\/c/ }).click()
    await expect(asker.getByText('You requested this. Another operator must approve it.')).toBeVisible()
    await take(asker, 'release-two-9-own-request')
    await asker.getByLabel('Why you withdraw it').fill('solved')
    await asker.getByRole('button', { name: 'Withdraw' }).click()
    await expect(asker.getByText('ann withdrew it: “solved”')).toBeVisible()
    await take(asker, 'release-two-9-withdrawn')
  } finally {
    await running.stop()
  }
})
