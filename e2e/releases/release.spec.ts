import { FaultProxy, StatementProxy } from 'leasehold/testing'
import { expect, openPage, rowOf, signIn, test, untilDone } from '../console/console.ts'
import { Gateway } from '../console/gateway.ts'
import { startConsole, testContactPoint } from '../console/running-console.ts'
import { elevate, fillIn, openRelease } from './releasing.ts'

test('kill: shows its effect, asks for reason and name, and reports the outcome', async ({
  page,
  running,
}) => {
  const { owner } = await running.hold('release/me', { ttlSeconds: 600 })
  await openPage(page, running)
  await rowOf(page, 'release/me').hover()
  await rowOf(page, 'release/me')
    .getByRole('button', { name: /Release/ })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Release release/me')
  await expect(dialog).toContainText(owner)
  await expect(dialog).toContainText(/confirmed (<1|\d)/)
  await expect(dialog).toContainText(/Your plan: (.*, )?valid for \d+ s/)
  await expect(dialog.getByRole('radio', { name: 'Ask' }), 'kill is never preselected').toBeChecked()
  await dialog.getByRole('radio', { name: 'Kill' }).check()
  await expect(dialog).toContainText('Two holders may act for up to 10 min 2 s after the delete')
  await elevate(page, dialog)
  const kill = dialog.getByRole('button', { name: 'Kill the lease' })
  await expect(kill).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Reason').fill('INC-1: it does nothing')
  await expect(kill).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Type the name').fill('release/m')
  await expect(kill).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Type the name').fill('release/me')
  await expect(kill).not.toHaveAttribute('aria-disabled', 'true')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/release(\?|$)/.test(request.url())) sent.push(request.url())
  })
  await kill.dblclick()
  await expect(dialog).toContainText('Killed: release/me, free')
  expect(sent, 'a double click sends one request').toHaveLength(1)
  expect((await running.api('GET', '/v1/leases/release%2Fme')).status).toBe(404)
  const { entries } = (await running.api('GET', '/v1/audit?name=release%2Fme')).body
  expect(JSON.stringify(entries)).toContain('INC-1: it does nothing')
  await running.hold('release/me', { owner: 'the next one' })
  await expect(dialog).toContainText('the next one')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  await running.free('release/me', 'the next one')
})

test('says that the holder renewed between plan and act', async ({ page, running }) => {
  await running.hold('release/renewing', { owner: 'holder' })
  const dialog = await openRelease(page, running, 'release/renewing')
  await running.hold('release/renewing', { owner: 'holder' })
  await fillIn(page, dialog, 'Kill', { name: 'release/renewing' })
  await dialog.getByRole('button', { name: 'Kill the lease' }).click()
  await untilDone(dialog, 'Kill the lease', dialog.filter({ hasText: 'Killed: release/renewing' }))
  await expect(dialog).toContainText(/renewed/)
})

test('the password is asked for an act and a lease by name: the dialog hid both, and that the holder changed', async ({
  page,
  running,
}) => {
  await running.hold('release/hidden', { owner: 'old holder' })
  await page.goto(`${running.url}/leases/release%2Fhidden?release=1`)
  const dialog = page.getByRole('dialog').first()
  await dialog.getByRole('radio', { name: 'Break' }).check()
  await dialog.getByRole('button', { name: 'Confirm password…' }).click()
  const password = page.getByRole('dialog', { name: 'Confirm your password' })
  await expect(password).toContainText('Break the lease: release/hidden')
  await expect(password).toContainText(/held by old holder/i)
  await password.getByLabel(/^Password of/).fill('half a pass')
  await running.free('release/hidden', 'old holder')
  await running.hold('release/hidden', { owner: 'new holder' })
  await expect(password.getByRole('alert')).toContainText('The holder changed after this plan.')
  await expect(password.getByRole('alert')).toContainText('Now held by new holder.')
  await expect(password.getByLabel(/^Password of/), 'what is typed stays').toHaveValue('half a pass')
  await password.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('button', { name: 'Plan again' })).toBeVisible()
  await running.free('release/hidden', 'new holder')
})

test('a lost answer: unknown, then resolved, and not sent again', async ({
  browser,
  running: { keyspace },
}) => {
  const [host = '', port = ''] = testContactPoint().split(':')
  const proxy = await StatementProxy.listen(host, Number(port), {
    // The delete alone: the entry in the audit log names the owner as well, and has to be answered.
    fault: ({ cql, values }) =>
      cql.startsWith('DELETE') && values.some((value) => value?.toString() === 'its-delete-goes-unheard')
        ? { kind: 'swallow-answer' }
        : undefined,
  })
  const running = await startConsole({ keyspace, contactPoint: proxy.contactPoint })
  const page = await browser.newPage()
  try {
    await signIn(page, running)
    await running.hold('release/unheard', { owner: 'its-delete-goes-unheard', ttlSeconds: 300 })
    await page.goto(`${running.url}/leases/release%2Funheard?release=1`)
    const dialog = page.getByRole('dialog')
    await fillIn(page, dialog, 'Kill', { name: 'release/unheard' })
    await dialog.getByRole('button', { name: 'Kill the lease' }).click()
    await expect(dialog).toContainText('Trying to kill: release/unheard, the outcome is not certain yet')
    await expect(dialog.getByRole('button', { name: 'Kill the lease' })).toHaveCount(0)
    // The connection breaks, and comes again.
    proxy.refuse()
    proxy.restore()
    await expect(dialog).toContainText('Kill unclear: release/unheard, the planned holder lost it', {
      timeout: 120_000,
    })
  } finally {
    await page.close()
    await running.stop()
    await proxy.close()
  }
})

test('the error of a failed try disappears when Cassandra answers again', async ({
  browser,
  running: { keyspace },
}) => {
  const [host = '', port = ''] = testContactPoint().split(':')
  const proxy = await FaultProxy.listen(host, Number(port))
  const direct = await startConsole({ keyspace, contactPoint: proxy.contactPoint })
  const gateway = await Gateway.listen(direct.url)
  const running = { ...direct, url: gateway.url }
  const page = await browser.newPage()
  try {
    await signIn(page, running)
    await running.hold('release/refused', { owner: 'holder', ttlSeconds: 300 })
    await page.goto(`${running.url}/leases/release%2Frefused?release=1`)
    const dialog = page.getByRole('dialog')
    await fillIn(page, dialog, 'Kill', { name: 'release/refused' })
    const kill = dialog.getByRole('button', { name: 'Kill the lease' })
    // Until the press is on its way no answer says that Cassandra is lost: a page that has noticed it has no such button any more.
    const sent = new Promise<void>((done) => {
      gateway.onItsWay = async (method, path) => {
        if (method !== 'POST' || !path.endsWith('/release')) return
        proxy.holdAnswers()
        done()
      }
    })
    await kill.click()
    await sent
    proxy.refuse()
    const alert = dialog.getByRole('alert').filter({ hasText: 'Nothing was released.' })
    await expect(alert).toBeVisible({ timeout: 90_000 })
    proxy.restore()
    await expect(alert).toHaveCount(0, { timeout: 120_000 })
    expect((await running.api('GET', '/v1/leases/release%2Frefused')).body.owner).toBe('holder')
  } finally {
    await page.close()
    gateway.close()
    await running.stop()
    await proxy.close()
  }
})
