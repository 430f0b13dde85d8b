import { expect } from '../console/console.ts'
import { driver } from '../console/running-console.ts'
import { browserOf, forced } from '../releases/releasing.ts'
import { take } from './camera.ts'
import { test } from './demo.ts'

test('audit: the log, an open entry, filters, refusals, who may not see it', async ({
  page,
  browser,
  running,
}) => {
  await running.hold('audit/killed', { owner: 'ip-10-0-3-17:4122:4c1be07d59a2:2a', ttlSeconds: 60 })
  await forced(running, 'audit/killed', 'kill', 'INC-4491: a drained host')
  await fetch(`${running.url}/v1/session`, {
    method: 'POST',
    headers: { origin: running.url, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'mallory', password: 'a guess' }),
  })
  await page.goto(`${running.url}/audit`)
  const act1 = page.getByRole('row').filter({ hasText: 'INC-4491' })
  await expect(act1).toBeVisible()
  await expect(page.getByText(/, read \d/)).toBeVisible()
  await take(page, 'audit-log')
  await act1.getByRole('button', { name: /details$/ }).click()
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Previous hash')
  await take(page, 'audit-open')
  for (const [state, path] of [
    ['audit-filtered', '/audit?name=audit%2Fkilled'],
    ['audit-plans', '/audit?act=release-plan'],
    ['audit-refused', '/audit?chain=refused'],
  ] as const) {
    await page.goto(running.url + path)
    await expect(page.getByText(/, read \d/)).toBeVisible()
    await take(page, state)
  }
  const viewer = { username: 'violet', password: 'a password of violet' }
  await running.api('POST', '/v1/users', { ...viewer, role: 'viewer' })
  const others = await browserOf(browser, running, viewer, '/audit')
  await take(others, 'audit-not-allowed')
  await others.goto(running.url)
  await expect(others.getByRole('table', { name: 'Leases' }).getByRole('link').first()).toBeVisible()
  await take(others, 'list-seen-by-viewer', 'window')
  await others.context().close()
})

test('audit: an entry that was edited in Cassandra', async ({ page, running }) => {
  await running.hold('audit/edited', { owner: 'ip-10-0-3-17:4122:4c1be07d59a2:2b', ttlSeconds: 60 })
  await forced(running, 'audit/edited', 'kill', 'INC-4492: as it was written')
  await running.hold('audit/after', { owner: 'ip-10-0-3-17:4122:4c1be07d59a2:2c', ttlSeconds: 60 })
  await forced(running, 'audit/after', 'kill', 'INC-4493: the log goes on')
  const { body } = await running.api('GET', '/v1/audit?act=release&name=audit%2Fedited&limit=1')
  const { bucket, seq } = body.entries[0]
  const client = await driver()
  const place = [`main:${bucket}`, seq]
  const table = `"${running.keyspace}".audit_log`
  const write = (text: string) =>
    client.execute(`UPDATE ${table} SET body = ? WHERE bucket = ? AND seq = ?`, [text, ...place])
  const { rows } = await client.execute(`SELECT body FROM ${table} WHERE bucket = ? AND seq = ?`, place)
  const written: string = rows[0]?.body
  try {
    await write(written.replace('as it was written', 'as it was edited'))
    await page.goto(`${running.url}/audit`)
    await expect(page.getByRole('alert').filter({ hasText: 'not what a console wrote' })).toBeVisible()
    await take(page, 'audit-altered')
    const altered = page.getByRole('row').filter({ hasText: 'as it was edited' })
    await altered.getByRole('button', { name: /details$/ }).click()
    await expect(page.getByText('This entry was altered: do not rely on what it says.')).toBeVisible()
    await take(page, 'audit-altered-open')
  } finally {
    await write(written)
    await client.shutdown()
  }
})
