/** The forced release by keyboard alone: where the focus is after each step, and how many keys it takes. */
import type { Locator, Page } from '@playwright/test'
import { test as base, expect, keysWork, openSignedIn, requestBy, rowOf } from '../console/console.ts'
import { Gateway } from '../console/gateway.ts'
import { admin } from '../console/running-console.ts'
import {
  browserOf,
  elevate,
  fillIn,
  makeOperators,
  openRelease,
  operators,
  untilAnswered,
} from './releasing.ts'

const { ann } = operators

/** `gateway`: another way to the console. */
const test = base.extend<{ gateway: Gateway }>({
  gateway: async ({ running }, use) => {
    const gateway = await Gateway.listen(running.url)
    await use(gateway)
    gateway.close()
  },
})

/**
 * The elevation of a page ends while its next release is on its way. Before that the page would notice: it reads its session
 * every 30 s, and locks the button.
 */
function endElevationOnItsWay(gateway: Gateway, page: Page): void {
  gateway.onItsWay = async (method, path) => {
    if (method !== 'POST' || !path.endsWith('/release')) return
    gateway.onItsWay = async () => {}
    expect(await requestBy(page, gateway, 'DELETE', '/v1/session/elevation')).toBeLessThan(300)
  }
}

test.beforeAll(({ running }) => makeOperators(running))

/** What the focused element is called, unless it is locked, and whether it stands in a dialog. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    const name =
      element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
    const isDialog = element?.getAttribute('role') === 'dialog'
    // While the page has no connection its buttons are locked, and a key does nothing there.
    const isLocked = element?.getAttribute('aria-disabled') === 'true'
    return {
      name: isDialog ? 'the dialog' : isLocked ? 'a locked button' : name.slice(0, 60),
      inside: element?.closest('[role=dialog]') != null,
    }
  })

const isFocused = (page: Page, name: string) =>
  expect.poll(async () => (await focused(page)).name, { message: name }).toContain(name)

const confirmed = (dialog: Locator) => dialog.getByText(/Your password is confirmed: valid until/)

test('after every step the focus is where the next input is, and Tab walks on from there', async ({
  browser,
  running,
}) => {
  await running.hold('keys/walk', { owner: 'victim', ttlSeconds: 300 })
  const page = await browserOf(browser, running, ann)
  const { keyboard } = page
  const tabTo = async (...names: string[]) => {
    for (const name of names) {
      await keyboard.press('Tab')
      await isFocused(page, name)
    }
  }
  await page.goto(`${running.url}/leases/keys%2Fwalk`)
  await keysWork(page)
  await page.getByRole('button', { name: 'Release…' }).focus()
  await isFocused(page, 'Release…')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog').first()

  await test.step('the dialog opens on the mode; ask needs a reason alone', async () => {
    await isFocused(page, 'Ask')
    await tabTo('Reason')
    await keyboard.type('by hand')
    await tabTo('Copy link to this plan', 'Cancel', 'Ask to resign')
    await keyboard.press('Enter')
    await expect(dialog).toContainText('Asked to resign: keys/walk')
    await isFocused(page, 'the dialog')
    await tabTo('Copy link to this release', 'Close')
    await keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await isFocused(page, 'Release…')
  })

  await test.step('a cancelled elevation goes back to its button, a given one on to the reason', async () => {
    await keyboard.press('Enter')
    await isFocused(page, 'Ask')
    await keyboard.press('ArrowRight')
    await isFocused(page, 'Break')
    await tabTo('Confirm password…')
    await keyboard.press('Enter')
    await isFocused(page, `Password of ${ann.username}`)
    await keyboard.press('Escape')
    await isFocused(page, 'Confirm password…')
    await keyboard.press('Enter')
    await isFocused(page, `Password of ${ann.username}`)
    await keyboard.type('not the password')
    await keyboard.press('Enter')
    await untilAnswered(page, page.getByText('Wrong password.'))
    await isFocused(page, `Password of ${ann.username}`)
    await keyboard.type(ann.password)
    await keyboard.press('Enter')
    await untilAnswered(page, confirmed(dialog))
    await isFocused(page, 'Reason')
    await keyboard.type('by hand')
  })

  await test.step('the holder changes while the reason is typed: that presses nothing; “Plan again” goes on', async () => {
    await running.free('keys/walk', 'victim')
    await running.hold('keys/walk', { owner: 'next', ttlSeconds: 300 })
    await expect(dialog.getByRole('alert')).toContainText('The holder changed after this plan.')
    await isFocused(page, 'Reason')
    await tabTo('Type the name', 'Close', 'Plan again')
    await keyboard.press('Enter')
    await expect(dialog).toContainText('This is another holder.')
    await isFocused(page, 'Type the name')
    await keyboard.type('keys/walk')
    await tabTo('Copy link to this plan', 'Cancel', 'Break the lease')
    await keyboard.press('Enter')
    await expect(dialog).toContainText('Broken: keys/walk, safe in')
    await isFocused(page, 'the dialog')
    await tabTo('Copy link to this release', 'Close', 'Copy link to this release')
  })
  await page.context().close()
})

test('break from the list, not elevated: twelve keys beside name, reason and password, and none outside the dialog', async ({
  browser,
  running,
}) => {
  await running.hold('aaa/keys', { owner: 'victim', ttlSeconds: 300 })
  const page = await browserOf(browser, running, ann, '/?prefix=aaa%2F')
  await expect(page.getByRole('link', { name: 'aaa/keys' })).toBeVisible()
  const dialog = page.getByRole('dialog').first()
  const outside: string[] = []
  let pressed = 0
  const press = async (key: string) => {
    pressed += 1
    // A dialog that this key opens takes the focus a moment later.
    const wasOpen = await dialog.isVisible()
    await page.keyboard.press(key)
    if (!wasOpen || !(await dialog.isVisible())) return
    const { name, inside } = await focused(page)
    if (!inside) outside.push(`${key}: ${name}`)
  }
  await keysWork(page)
  await press('j')
  const release = rowOf(page, 'aaa/keys').getByRole('button', { name: /^Release/ })
  await expect(release).not.toHaveAttribute('aria-disabled', 'true')
  await press('r')
  await isFocused(page, 'Ask')
  await press('ArrowRight')
  await press('Tab')
  await isFocused(page, 'Confirm password…')
  await press('Enter')
  await isFocused(page, `Password of ${ann.username}`)
  await page.keyboard.type(ann.password)
  await press('Enter')
  await untilAnswered(page, confirmed(dialog))
  await isFocused(page, 'Reason')
  await page.keyboard.type('INC-6')
  await press('Tab')
  await isFocused(page, 'Type the name')
  await page.keyboard.type('aaa/keys')
  await press('Tab')
  await press('Tab')
  await press('Tab')
  await isFocused(page, 'Break the lease')
  await press('Enter')
  await expect(dialog).toContainText('Broken: aaa/keys, safe in')
  expect(outside).toEqual([])
  expect(pressed).toBeLessThanOrEqual(12)
  await page.context().close()
})

test('Enter in a field goes to what is missing, and presses the button when nothing is', async ({
  browser,
  running,
}) => {
  await running.hold('keys/enter', { owner: 'victim', ttlSeconds: 300 })
  const page = await browserOf(browser, running, ann)
  const dialog = await openRelease(page, running, 'keys/enter')
  const { keyboard } = page
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await dialog.getByLabel('Reason').focus()
  await keyboard.press('Enter')
  const confirms = dialog.getByRole('button', { name: 'Confirm password…' })
  if (await confirms.isVisible()) {
    await isFocused(page, 'Confirm password…')
    await keyboard.press('Enter')
    await page.getByLabel(`Password of ${ann.username}`).fill(ann.password)
    await keyboard.press('Enter')
    await untilAnswered(page, confirmed(dialog))
  }
  await isFocused(page, 'Reason')
  await keyboard.type('INC-8')
  await keyboard.press('Enter')
  await isFocused(page, 'Type the name')
  await keyboard.type('keys/ente')
  await keyboard.press('Enter')
  await isFocused(page, 'Type the name')
  expect((await running.api('GET', '/v1/leases/keys%2Fenter')).body.owner).toBe('victim')
  await keyboard.type('r')
  await keyboard.press('Enter')
  await expect(dialog).toContainText('Broken: keys/enter, safe in')
  await page.context().close()
})

test('after the password, everything else filled in, the focus is in a field, and a second Enter does not act', async ({
  browser,
  gateway,
  running: direct,
}) => {
  const running = { ...direct, url: gateway.url }
  const eve = { username: 'eve', password: 'a password of eve' }
  await running.addUser({ ...eve, role: 'operator' })
  await running.hold('keys/twice', { owner: 'victim', ttlSeconds: 300 })
  const page = await browserOf(browser, running, eve)
  const dialog = await openRelease(page, running, 'keys/twice')
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await dialog.getByLabel('Reason').fill('INC-9')
  await elevate(page, dialog, { ...admin, ...eve })
  await isFocused(page, 'Type the name')
  await dialog.getByLabel('Type the name').fill('keys/twice')
  endElevationOnItsWay(gateway, page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Nothing was released.')
  await dialog.getByRole('button', { name: 'Confirm password…' }).click()
  await page.getByLabel('Password of eve').fill(eve.password)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/release')) sent.push(request.url())
  })
  // In the page, at once: a second after it has the focus, the field takes the press for its own.
  await page.evaluate(() => {
    const again = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.id !== 'typed-name') return
      removeEventListener('focusin', again)
      const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
      requestAnimationFrame(() => {
        target.dispatchEvent(enter)
        document.documentElement.dataset.pressedAgain = ''
      })
    }
    addEventListener('focusin', again)
  })
  await page.keyboard.press('Enter')
  await untilAnswered(page, confirmed(dialog))
  await isFocused(page, 'Type the name')
  await expect(page.locator('html')).toHaveAttribute('data-pressed-again')
  expect((await running.api('GET', '/v1/leases/keys%2Ftwice')).body.owner).toBe('victim')
  expect(sent).toEqual([])
  await page.context().close()
})

test('on a telephone the password leads on to the next field too: the keyboard is open', async ({
  browser,
  running,
}) => {
  const fay = { username: 'fay', password: 'a password of fay' }
  await running.addUser({ ...fay, role: 'operator' })
  await running.hold('keys/touch', { owner: 'victim', ttlSeconds: 300 })
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await openSignedIn(page, running, '/', fay)
  const dialog = await openRelease(page, running, 'keys/touch')
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await dialog.getByLabel('Reason').fill('INC-10')
  await elevate(page, dialog, { ...admin, ...fay })
  await isFocused(page, 'Type the name')
  await context.close()
})

test('a reason that was typed is not thrown away by Esc', async ({ page, running }) => {
  await running.hold('keys/esc', { owner: 'victim' })
  const dialog = await openRelease(page, running, 'keys/esc')
  await dialog.getByLabel('Reason').fill('INC-7: a long reason')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Release…' }).click()
  await expect(dialog.getByLabel('Reason')).toHaveValue('INC-7: a long reason')
})

test('a plan whose lease is gone locks: no countdown runs, and only leaving is left', async ({
  page,
  running,
}) => {
  await running.hold('keys/gone', { owner: 'victim' })
  const dialog = await openRelease(page, running, 'keys/gone')
  await dialog.getByLabel('Reason').fill('test')
  await running.free('keys/gone', 'victim')
  await expect(dialog.getByRole('alert')).toContainText('The lease is free.')
  await expect(dialog).toContainText('There is nothing left to release.')
  await expect(dialog.getByText(/valid for/)).toHaveCount(0)
  await expect(dialog.getByText(/\d\d:\d\d\.\d/)).toHaveCount(0)
  await expect(dialog.getByRole('button')).toHaveText(['', 'Close'])
  for (const mode of await dialog.getByRole('radio').all()) await expect(mode).toBeDisabled()
})

test('a plan that dies while the password is typed leaves the password dialog open', async ({
  browser,
  running,
}) => {
  const dan = { username: 'dan', password: 'a password of dan' }
  await running.addUser({ ...dan, role: 'operator' })
  await running.hold('keys/dies', { owner: 'victim', ttlSeconds: 600 })
  const page = await browserOf(browser, running, dan)
  const dialog = await openRelease(page, running, 'keys/dies')
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await dialog.getByRole('button', { name: 'Confirm password…' }).click()
  const field = page.getByLabel('Password of dan')
  await field.fill(dan.password)
  await running.free('keys/dies', 'victim')
  await running.hold('keys/dies', { owner: 'next', ttlSeconds: 600 })
  const password = page.getByRole('dialog', { name: 'Confirm your password' })
  await expect(password.getByRole('alert')).toContainText('The holder changed after this plan.')
  await expect(field).toHaveValue(dan.password)
  await page.keyboard.press('Enter')
  await untilAnswered(page, dialog.getByRole('button', { name: 'Plan again' }))
  await expect(field).toHaveCount(0)
  await isFocused(page, 'Plan again')
  await page.keyboard.press('Enter')
  await expect(confirmed(dialog)).toBeVisible()
  await page.context().close()
})

test('a renewal is promised only where one was seen', async ({ page, running }) => {
  const { owner } = await running.hold('keys/rhythm', { owner: 'no-rhythm', ttlSeconds: 60 })
  const dialog = await openRelease(page, running, 'keys/rhythm')
  await expect(dialog).toContainText(
    'No renewal was seen since this page was opened, so the holder may never read the request.',
  )
  await dialog.getByRole('radio', { name: 'Kill' }).check()
  await expect(dialog).toContainText('We can’t predict when the holder will notice. No renewal was seen')
  await running.hold('keys/rhythm', { owner, ttlSeconds: 60 })
  await expect(dialog).toContainText('Held. The holder just renewed it')
  await expect(dialog).toContainText(/The holder usually notices at its next renewal, expected within/)
})

test('a refusal appears beside the form: the focus is where the next input is', async ({
  browser,
  gateway,
  running: direct,
}) => {
  const running = { ...direct, url: gateway.url }
  const cy = { username: 'cy', password: 'a password of cy' }
  await running.addUser({ ...cy, role: 'operator' })
  await running.hold('keys/refused', { owner: 'victim', ttlSeconds: 600 })
  const page = await browserOf(browser, running, cy)
  const dialog = await openRelease(page, running, 'keys/refused')
  const refusal = dialog.getByRole('alert').filter({ hasText: 'Nothing was released.' })

  await test.step('the elevation ended elsewhere: its button', async () => {
    await fillIn(page, dialog, 'Break', { name: 'keys/refused', user: cy })
    endElevationOnItsWay(gateway, page)
    await dialog.getByRole('button', { name: 'Break the lease' }).focus()
    await isFocused(page, 'Break the lease')
    await page.keyboard.press('Enter')
    await expect(refusal).toContainText('Confirm that it is you first.')
    await isFocused(page, 'Confirm password…')
    await expect(dialog.getByLabel('Reason')).toHaveValue('test')
    await expect(dialog.getByLabel('Type the name')).toHaveValue('keys/refused')
  })

  await test.step('the role was taken away: the last input, and not the button that was pressed', async () => {
    await dialog.getByRole('radio', { name: 'Ask' }).check()
    expect((await running.api('PUT', '/v1/users/cy', { role: 'viewer' })).status).toBe(200)
    await page.setViewportSize({ width: 390, height: 700 })
    await dialog.getByRole('button', { name: 'Ask to resign' }).focus()
    await isFocused(page, 'Ask to resign')
    await page.keyboard.press('Enter')
    await expect(refusal).toContainText('You may not do this.')
    await isFocused(page, 'Reason')
    const foot = dialog.getByRole('button', { name: 'Cancel' })
    const isSeen = async () => {
      const [said, under] = [await refusal.boundingBox(), await foot.boundingBox()]
      return said !== null && under !== null && said.y >= 0 && said.y + said.height <= under.y
    }
    await expect.poll(isSeen, { message: 'on a phone the foot does not cover it' }).toBe(true)
  })
  expect((await running.api('GET', '/v1/leases/keys%2Frefused')).body.owner).toBe('victim')
  await page.context().close()
})
