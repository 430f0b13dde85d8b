import { watchViolations } from '../browser/violations.ts'
import { busyIn, elevateByRequest, expect, pressUntil, rowOf, test, untilDone } from '../console/console.ts'
import {
  browserOf,
  elevate,
  fillIn,
  type Holders,
  holders,
  makeOperators,
  openRelease,
  operators,
} from './releasing.ts'

const { ann, ben } = operators
let people: Holders

test.beforeAll(async ({ running }) => {
  await makeOperators(running)
  people = await holders(running)
})
test.afterAll(() => people?.[Symbol.asyncDispose]())

test('ask: a holder written with the library resigns, and dialog and list show it without a reload', async ({
  page,
  context,
  running,
}) => {
  const violations = await watchViolations(page)
  const lease = await people.hold('modes/ask')
  const list = await context.newPage()
  await list.goto(running.url)
  await expect(rowOf(list, 'modes/ask')).toContainText('held')
  const dialog = await openRelease(page, running, 'modes/ask')
  await expect(dialog.getByRole('radio', { name: 'Ask' })).toBeChecked()
  await expect(dialog.getByText('Never two holders at once')).toHaveCount(2)
  await dialog.getByLabel('Reason').fill('INC-2: make room')
  await dialog.getByRole('button', { name: 'Ask to resign' }).click()
  await untilDone(dialog, 'Ask to resign', dialog.filter({ hasText: 'Asked to resign: modes/ask' }))
  await expect(dialog).toContainText('Asked to resign: modes/ask, released early', {
    timeout: 90_000,
  })
  await expect(dialog).toContainText('released early, which is what a resignation looks like')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Released early, before' })).toContainText(
    /\d\d:\d\d:\d\d\.\d{3}/,
  )
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeVisible()
  expect(lease.held).toBe(false)
  await expect(rowOf(list, 'modes/ask')).toHaveCount(0)
  await list.close()
  // The one 404 in the browser's console is the read that found the lease free.
  expect(violations).toEqual([])
})

test('ask: of a holder that makes room for one who waits, the end and the time for which it may act are said', async ({
  page,
  running,
}) => {
  await people.hold('modes/next')
  const next = people.hold('modes/next')
  const dialog = await openRelease(page, running, 'modes/next')
  await dialog.getByLabel('Reason').fill('INC-3: make room')
  await dialog.getByRole('button', { name: 'Ask to resign' }).click()
  await untilDone(dialog, 'Ask to resign', dialog.filter({ hasText: 'Asked to resign: modes/next' }))
  await expect(dialog).toContainText('Asked to resign: modes/next, now held by', { timeout: 90_000 })
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Released early, before' })).toContainText(
    /\d\d:\d\d:\d\d\.\d{3}/,
  )
  await expect(dialog).toContainText(/the old holder may still act until .* UTC/)
  await expect(dialog).not.toContainText('was not seen')
  await (await next).release()
})

test('ask: a holder that does not read requests is said not to have answered, and can be broken', async ({
  page,
  running,
}) => {
  const { owner } = await running.hold('modes/deaf', { ttlSeconds: 30 })
  const renew = () => running.hold('modes/deaf', { ttlSeconds: 30, owner }).catch(() => {})
  const renewing = setInterval(renew, 3000)
  try {
    const dialog = await openRelease(page, running, 'modes/deaf')
    await dialog.getByLabel('Reason').fill('test')
    await dialog.getByRole('button', { name: 'Ask to resign' }).click()
    await untilDone(dialog, 'Ask to resign', dialog.filter({ hasText: 'Asked to resign: modes/deaf' }))
    await expect(dialog).toContainText('Asked to resign: modes/deaf, no answer yet')
    await expect(dialog.getByRole('button', { name: 'Close', exact: true }).last()).toBeVisible()
    await expect(dialog.getByRole('heading', { name: /the holder has not answered/ })).toBeVisible({
      timeout: 60_000,
    })
    await dialog.getByRole('button', { name: 'Plan to break it' }).click()
    await expect(dialog.getByRole('radio', { name: 'Break' })).toBeChecked()
    await expect(dialog.getByLabel('Reason'), 'what was filled in stays').toHaveValue('test')
    await expect(dialog).toContainText('You asked this holder to resign.')
  } finally {
    clearInterval(renewing)
  }
})

test('break: counts down to "safe at", and then shows who acquires it; the list says whose it was', async ({
  page,
  context,
  running,
}) => {
  // Long enough to look at two pages before the quarantine ends.
  const renewed = { ttlSeconds: 75, value: 'epoch=1' }
  const { owner } = await running.hold('modes/break', renewed)
  const list = await context.newPage()
  await list.goto(running.url)
  const dialog = await openRelease(page, running, 'modes/break')
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await expect(dialog).toContainText('Confirm your password first.')
  await elevate(page, dialog)
  // The holder renews; the plan stays as it was made.
  await running.hold('modes/break', { ...renewed, owner })
  await fillIn(page, dialog, 'Break', { name: 'modes/break', reason: 'INC-3' })
  const waiter = people.hold('modes/break', { waitMs: 240_000 })
  await running.hold('modes/break', { ...renewed, owner })
  await dialog.getByRole('button', { name: 'Break the lease' }).click()
  await untilDone(dialog, 'Break the lease', dialog.filter({ hasText: 'Broken: modes/break' }))
  await expect(dialog).toContainText(/Broken: modes\/break, safe in \d\d:\d\d/)
  await expect(page).toHaveTitle(/^Broken: modes\/break, safe in \d\d:\d\d · Leasehold$/)
  await expect(dialog.getByRole('timer')).toHaveText(/^0[01]:\d\d\.\d$/)

  const row = rowOf(list, 'modes/break')
  await expect(row).toContainText('quarantined')
  await expect(row).toContainText(`quarantine · was ${owner}`)
  await expect(row).toContainText(/by admin, \d\d:\d\d:\d\d/)
  await expect(row).toContainText(/safe at \d\d:\d\d:\d\d/)
  await expect(row.getByRole('button', { name: /Locked/ })).toHaveAttribute('aria-disabled', 'true')
  await row.getByRole('link', { name: 'modes/break' }).click()
  await expect(list.getByText('Broken. It cannot be acquired yet.')).toBeVisible()
  await expect(
    list.getByRole('button', { name: /Release not possible until \d\d:\d\d:\d\d ?: quarantined/ }),
  ).toBeVisible()
  await list
    .getByRole('region', { name: 'Releases by force' })
    .getByRole('link', { name: 'See the release' })
    .click()
  await expect(list.getByRole('heading', { level: 1 })).toContainText('modes/break')
  await expect(list).toHaveURL(/\/releases\//)

  const lease = await waiter
  await expect(dialog.getByRole('heading')).toContainText(`Broken: modes/break, now held by ${lease.owner}`)
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeVisible()
  await expect(dialog, 'it was alive until the end').toContainText(
    'The holder renewed the lease after the plan was made.',
  )
  await expect(dialog).toContainText(/after the quarantine ended/)
  await expect(list.getByRole('heading', { level: 1 })).toContainText(`now held by ${lease.owner}`)
  await list.close()
  await lease.release()
})

test('an operator may not kill, and sees why; an admin may', async ({ browser, page, running }) => {
  await running.hold('modes/kill', { owner: 'victim' })
  const operator = await browserOf(browser, running, ann)
  const refused = await openRelease(operator, running, 'modes/kill')
  await expect(refused.getByRole('radio', { name: 'Kill' })).toBeDisabled()
  await expect(refused).toContainText('Only admins may kill; your role is operator.')
  await operator.context().close()
  const dialog = await openRelease(page, running, 'modes/kill')
  await fillIn(page, dialog, 'Kill', { name: 'modes/kill' })
  await dialog.getByRole('button', { name: 'Kill the lease' }).click()
  await untilDone(dialog, 'Kill the lease', dialog.filter({ hasText: 'Killed: modes/kill' }))
  await expect(dialog).toContainText('Killed: modes/kill, free')
  await expect(dialog).toContainText('Deleted modes/kill, held by victim.')
  await expect(dialog).toContainText('The old holder may not know yet.')
})

test('an elevation is obtained in place, and what was filled in stays', async ({ browser, running }) => {
  await running.hold('modes/elevate', { owner: 'victim', ttlSeconds: 300 })
  const page = await browserOf(browser, running, ben)
  const dialog = await openRelease(page, running, 'modes/elevate')
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await dialog.getByLabel('Reason').fill('kept')
  await dialog.getByLabel('Type the name').fill('modes/elevate')
  await expect(dialog.getByRole('button', { name: 'Break the lease' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await elevate(page, dialog, ben)
  await expect(dialog.getByLabel('Reason')).toHaveValue('kept')
  await expect(dialog.getByLabel('Type the name')).toHaveValue('modes/elevate')
  await dialog.getByRole('button', { name: 'Break the lease' }).click()
  await untilDone(dialog, 'Break the lease', dialog.filter({ hasText: 'Broken: modes/elevate' }))
  await expect(dialog).toContainText('Broken: modes/elevate, safe in')
  await page.context().close()
})

test('two operators on one lease: one acts, the other sees what happened', async ({ browser, running }) => {
  await running.hold('modes/two', { owner: 'victim', ttlSeconds: 300 })
  const [pageOfAnn, pageOfBen] = [
    await browserOf(browser, running, ann),
    await browserOf(browser, running, ben),
  ]
  // Before the plans are made, which are good for a minute.
  await elevateByRequest(pageOfAnn, running, ann)
  await elevateByRequest(pageOfBen, running, ben)
  const [first, second] = [
    await openRelease(pageOfAnn, running, 'modes/two'),
    await openRelease(pageOfBen, running, 'modes/two'),
  ]
  await fillIn(pageOfAnn, first, 'Break', { name: 'modes/two', user: ann, reason: 'INC-4 of ann' })
  await fillIn(pageOfBen, second, 'Break', { name: 'modes/two', user: ben, reason: 'INC-4 of ben' })
  await first.getByRole('button', { name: 'Break the lease' }).click()
  await untilDone(first, 'Break the lease', first.filter({ hasText: 'Broken: modes/two' }))
  await expect(first).toContainText('Broken: modes/two, safe in')
  await expect(second.getByRole('alert')).toContainText('Another person broke this lease.')
  await expect(second.getByRole('alert')).toContainText('ann broke it at')
  await expect(second.getByRole('button', { name: 'Break the lease' })).toHaveCount(0)
  await expect(second.getByRole('link', { name: 'See the release' })).toBeVisible()
  // A quarantined lease can be neither asked for nor broken, so there is nothing to plan.
  await expect(second.getByRole('button', { name: 'Plan again' })).toHaveCount(0)
  await expect(first, 'the second leaves the first as it is').toContainText(
    /Broken: modes\/two, (safe in|free)/,
  )
  await pageOfAnn.context().close()
  await pageOfBen.context().close()
})

test('the permalink of a plan says how it stands, and that it was only planned', async ({
  browser,
  running,
}) => {
  await running.hold('modes/link', { owner: 'victim', value: 'epoch=1' })
  const page = await browserOf(browser, running, ann)
  // Before the plan is made, which is good for a minute.
  const other = await browserOf(browser, running, ben)
  const dialog = await openRelease(page, running, 'modes/link')
  await dialog.getByRole('button', { name: 'Copy link to this plan' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(new RegExp(`^${running.url}/releases/[\\w-]+$`))
  const link = await copied()

  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Plan: modes/link, not carried out' })).toBeVisible()
  await expect(other.getByText('ann', { exact: true }).first()).toBeVisible()
  const owners = other.getByRole('row').filter({ hasText: 'Owner' })
  await expect(owners.getByRole('cell').nth(1)).toContainText('victim')
  await running.free('modes/link', 'victim')
  await running.hold('modes/link', { owner: 'next' })
  await expect(owners.getByRole('cell').nth(1)).toContainText('next')
  await expect(owners.getByRole('cell').nth(1)).toHaveClass(/new/)
  await other.getByRole('button', { name: 'Plan your own release…' }).click()
  await expect(other.getByRole('dialog')).toContainText('next')
  await other.goto(`${running.url}/releases/no-such-release`)
  await expect(other.getByRole('heading', { name: 'There is no such release' })).toBeVisible()
  await page.context().close()
  await other.context().close()
})

test('names of two people: requested, said in the header, approved by another, rejected, taken back', async ({
  browser,
  running,
}) => {
  const asker = await browserOf(browser, running, ann)
  const approver = await browserOf(browser, running, ben)
  const request = async (name: string) => {
    await running.hold(name, { owner: 'victim', ttlSeconds: 300 })
    const dialog = await openRelease(asker, running, name)
    await expect(dialog).toContainText('This lease needs two people.')
    await fillIn(asker, dialog, 'Break', { name, user: ann, reason: 'INC-5' })
    await dialog.getByRole('button', { name: 'Request a break' }).click()
    const requested = dialog.filter({ hasText: `Break requested: ${name}, waiting for approval` })
    await untilDone(dialog, 'Request a break', requested)
    return dialog
  }

  const approved = await request('two/a')
  await approver.getByRole('button', { name: '1 waits for approval' }).click()
  await approver.getByRole('menuitem', { name: /two\/a/ }).click()
  await expect(
    approver.getByRole('heading', { name: 'Break requested: two/a, waiting for approval' }),
  ).toBeVisible()
  const approve = approver.getByRole('button', { name: /^Approve/ })
  await expect(approve).toHaveAttribute('aria-disabled', 'true')
  await elevate(approver, approver.getByRole('main'), ben)
  const broken = approver.getByRole('heading', { name: /^Broken: two\/a, safe in/ })
  await pressUntil(() => approve.click(), broken, busyIn(approver))
  await expect(approved, 'the person who asked sees it without a reload').toContainText(
    'Broken: two/a, safe in',
  )

  const rejected = await request('two/b')
  await approver.getByRole('button', { name: '1 waits for approval' }).click()
  await approver.getByRole('menuitem', { name: /two\/b/ }).click()
  await approver.getByLabel('Why not').fill('not now')
  const reject = () => approver.getByRole('button', { name: 'Reject' }).click()
  const gone = approver.getByRole('heading', { name: /^Break rejected: two\/b/ })
  await pressUntil(reject, gone, busyIn(approver))
  await expect(rejected).toContainText('Break rejected: two/b, nothing was released')
  await expect(rejected).toContainText('ben rejected it: “not now”')

  await request('two/c')
  await asker.goto(`${running.url}/`)
  await asker.getByRole('button', { name: '1 waits for approval' }).click()
  await asker.getByRole('menuitem', { name: /two\/c/ }).click()
  await expect(asker.getByText('You requested this. Another operator must approve it.')).toBeVisible()
  await expect(asker.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await asker.getByLabel('Why you withdraw it').fill('solved')
  const withdraw = () => asker.getByRole('button', { name: 'Withdraw' }).click()
  await pressUntil(withdraw, asker.getByText('ann withdrew it: “solved”'), busyIn(asker))
  expect((await running.api('GET', '/v1/leases/two%2Fc')).body.owner).toBe('victim')
  await asker.context().close()
  await approver.context().close()
})
