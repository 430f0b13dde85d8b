import { driver, expect, rowOf, test } from './console.ts'

test('the detail page shows the facts and what Cassandra said', async ({ page, running }) => {
  const { owner, version } = await running.hold('detail/one', { ttlSeconds: 45, value: 'step=1' })
  await page.goto(`${running.url}/leases/detail%2Fone`)
  await expect(page.getByRole('heading', { name: 'detail/one' })).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(/00:4\d\.\d/)
  const main = page.getByRole('main')
  for (const text of [owner, version, 'step=1', '45 s'])
    await expect(main.getByText(text).first()).toBeVisible()
  const said = page.getByRole('region', { name: 'What Cassandra said' })
  for (const text of [
    'SERIAL',
    'writetime("owner")',
    'WHERE "name" = \'detail/one\'',
    'ttl(owner)',
    version,
    'expiry',
  ])
    await expect(said).toContainText(text)
  await running.free('detail/one', owner)
  await expect(page.getByText('Nobody holds it')).toBeVisible()
  // It goes on watching.
  await running.hold('detail/one', { owner: 'next' })
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(main.getByText('next').first()).toBeVisible()
  await running.free('detail/one', 'next')
})

test('a zombie, a partial and an eternal lease are named, in the list and by themselves', async ({
  page,
  running,
}) => {
  const client = await driver()
  const table = `${running.keyspace}.leases`
  await client.execute(
    `INSERT INTO ${table} (name, owner, value) VALUES ('z', 'o', 'v') IF NOT EXISTS USING TTL 2`,
  )
  await client.execute(`UPDATE ${table} USING TTL 60 SET value = 'v' WHERE name = 'z' IF owner = 'o'`)
  await client.execute(
    `INSERT INTO ${table} (name, owner, value) VALUES ('p', 'o', 'v') IF NOT EXISTS USING TTL 40`,
  )
  await client.execute(`UPDATE ${table} USING TTL 60 SET owner = 'o' WHERE name = 'p' IF owner = 'o'`)
  await client.execute(`INSERT INTO ${table} (name, owner) VALUES ('e', 'o') IF NOT EXISTS USING TTL 0`)
  await client.shutdown()
  await page.goto(running.url)
  await expect(rowOf(page, 'z')).toContainText('zombie', { timeout: 20_000 })
  await expect(rowOf(page, 'p')).toContainText('partial')
  await expect(rowOf(page, 'e')).toContainText('eternal')
  await expect(rowOf(page, 'e')).toContainText('no expiry')
  await rowOf(page, 'z').getByRole('link').click()
  await expect(page.getByRole('main')).toContainText('zombie')
  await expect(page.getByRole('main')).toContainText('IF NOT EXISTS')
  await expect(page.getByRole('button', { name: /Release/ })).toHaveAttribute('aria-disabled', 'true')
  for (const name of ['p', 'e']) await running.free(name, 'o')
  await running.hold('z', { owner: 'o' })
  await expect(page.getByRole('timer')).toBeVisible()
  await running.free('z', 'o')
})
