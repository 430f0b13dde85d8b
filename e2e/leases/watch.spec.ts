/** The list is live: by the stream, without a reload, and it says so when the stream is silent. */
import { test } from '../console/behind-gateway.ts'
import {
  counted,
  expect,
  keysWork,
  lostAnswers,
  noteSaid,
  openSignedIn,
  rowOf,
  signInByRequest,
} from '../console/console.ts'
import { driver } from '../console/running-console.ts'

test('what a plain CQL client does is on screen without a reload', async ({ page, running }) => {
  const client = await driver()
  const cql = (text: string, ...values: unknown[]) =>
    client.execute(text.replace('leases', `${running.keyspace}.leases`), values, { prepare: true })
  await openSignedIn(page, running, '/?prefix=cql/')
  await cql(
    'INSERT INTO leases (name, owner, value) VALUES (?, ?, ?) IF NOT EXISTS USING TTL 300',
    'cql/1',
    'plain',
    'v',
  )
  const row = rowOf(page, 'cql/1')
  await expect(row).toContainText('plain')
  await expect(row).toContainText('held')
  await cql(
    'UPDATE leases USING TTL 300 SET owner = ?, value = ? WHERE name = ? IF owner = ?',
    'plain',
    'w2',
    'cql/1',
    'plain',
  )
  await expect(row).toContainText('w2')
  // It is said for five seconds.
  const saidGone = await noteSaid(page, '[role=row]', /cql\/1.*gone/)
  await cql('DELETE FROM leases WHERE name = ? IF owner = ?', 'cql/1', 'plain')
  await expect(row).toHaveCount(0)
  await saidGone()
  await client.shutdown()
})

test('states are filtered by a press or a key, with their counts, and the URL keeps them', async ({
  page,
  running,
}) => {
  await running.hold('chips/held', { owner: 'o', ttlSeconds: 300 })
  const client = await driver()
  await client.execute(
    `UPDATE ${running.keyspace}.leases USING TTL 0 SET owner = ?, value = ? WHERE name = ? IF owner = null`,
    ['o', 'v', 'chips/eternal'],
    { prepare: true },
  )
  await openSignedIn(page, running, '/?prefix=chips/')
  const chips = page.getByRole('group', { name: 'Filter by state' })
  await expect(chips.getByRole('button', { name: 'All 2' })).toHaveAttribute('aria-pressed', 'true')
  await chips.getByRole('button', { name: 'eternal 1' }).click()
  await expect(page).toHaveURL(/state=eternal/)
  await expect(rowOf(page, 'chips/eternal')).toBeVisible()
  await expect(rowOf(page, 'chips/held')).toHaveCount(0)
  await page.reload()
  await expect(rowOf(page, 'chips/eternal')).toBeVisible()
  await expect(rowOf(page, 'chips/held')).toHaveCount(0)
  await keysWork(page)
  await page.keyboard.press('1')
  await expect(rowOf(page, 'chips/held')).toBeVisible()
  await expect(page).toHaveURL(/state=held%2Ceternal/)
  await page.keyboard.press('0')
  await expect(page).not.toHaveURL(/state=/)
  // The worst first: what nothing ever frees stands above what is held.
  await expect(page.getByRole('table', { name: 'Leases' }).getByRole('link')).toHaveText([
    'chips/eternal',
    'chips/held',
  ])
  await page.keyboard.press('4')
  await expect(page.getByRole('heading', { name: 'No lease is zombie and matches chips/' })).toBeVisible()
  await page.keyboard.press('0')

  // One key from the list to what needs attention, with the count in the navigation.
  await expect(page.getByRole('link', { name: /Attention 1/ })).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { level: 1, name: 'Needs attention' })).toBeVisible()
  const trouble = page.getByRole('table', { name: 'Needs attention' })
  await expect(trouble.getByRole('row').filter({ hasText: 'chips/eternal' })).toContainText('It has no TTL.')
  await expect(trouble).not.toContainText('chips/held')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('chips/eternal')
  // On a page without a list the count goes on.
  await client.execute(
    `DELETE FROM ${running.keyspace}.leases WHERE name = ? IF owner = ?`,
    ['chips/eternal', 'o'],
    { prepare: true },
  )
  await expect(page.getByRole('link', { name: /Attention 1/ })).toHaveCount(0)
  await client.shutdown()
  await running.free('chips/held', 'o')
})

test('a stream that breaks is opened again; a silent one makes the rows stale, until it is heard', async ({
  page,
  gateway,
  running,
}) => {
  await running.hold('stream/a', { owner: 'o', ttlSeconds: 600, value: 'first' })
  await openSignedIn(page, running, '/?prefix=stream/')
  const row = rowOf(page, 'stream/a')
  await expect(row).toContainText(/confirmed|scanned/)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  gateway.cutStreams()
  await running.hold('stream/a', { owner: 'o', ttlSeconds: 600, value: 'second' })
  await expect(row).toContainText('second')
  await expect(row).not.toContainText('stale')

  gateway.isSilent = true
  await expect(row).toContainText(/stale \d+ s/)
  await expect(page.getByText(/The stream of this list has been silent for/)).toBeVisible()
  await row.hover()
  await expect(row.getByRole('button', { name: /Locked/ })).toHaveAttribute('aria-disabled', 'true')
  await running.hold('stream/a', { owner: 'o', ttlSeconds: 600, value: 'third' })
  gateway.isSilent = false
  await expect(row).toContainText('third')
  await expect(row).not.toContainText('stale')
  await running.free('stream/a', 'o')
})

test('a list that is paused before its stream has said anything stands still too', async ({
  page,
  gateway,
  running,
}) => {
  await running.hold('begun/a', { owner: 'first', ttlSeconds: 600 })
  await signInByRequest(page, running)
  gateway.isSilent = true
  const row = rowOf(page, 'begun/a')
  // A page does not wait long for the rows of its HTML, and this one has no others: where the read was late, once more.
  await expect(async () => {
    await page.goto(`${running.url}/?prefix=begun/`)
    await expect(row).toContainText('first', { timeout: 2_000 })
  }).toPass({ timeout: 300_000 })
  await keysWork(page)
  await page.keyboard.press('p')
  await expect(page.getByText(/Paused, .* behind/)).toBeVisible()
  await running.free('begun/a', 'first')
  // The snapshot of the next stream is read after the release.
  gateway.cutStreams()
  gateway.isSilent = false
  const goLive = page.getByRole('button', { name: 'Go live, 1 change' })
  await expect(goLive).toBeVisible()
  await expect(row).toContainText('first')
  await goLive.click()
  await expect(row).toHaveCount(0)
})

test('a paused list stands still, counts what comes, and catches up', async ({ page, running }) => {
  await running.hold('pause/a', { owner: 'o', ttlSeconds: 600, value: 'before' })
  await openSignedIn(page, running, '/?prefix=pause/')
  const row = rowOf(page, 'pause/a')
  await expect(row).toContainText('before')
  await keysWork(page)
  await page.keyboard.press('p')
  await expect(page.getByText(/Paused, .* behind/)).toBeVisible()
  await expect(row).toContainText(/paused .* ago/)
  await running.hold('pause/a', { owner: 'o', ttlSeconds: 600, value: 'after' })
  await expect(page.getByRole('button', { name: /Go live, [1-9]\d* change/ })).toBeVisible()
  await expect(row).toContainText('before')
  await page.getByRole('button', { name: /Go live/ }).click()
  await expect(row).toContainText('after')
  await running.free('pause/a', 'o')
})

test('the page of a lease lives on its stream: a plain CQL change appears, and the lease is read once', async ({
  page,
  running,
}) => {
  const client = await driver()
  const cql = (text: string, ...values: unknown[]) =>
    client.execute(text.replace('leases', `${running.keyspace}.leases`), values, { prepare: true })
  const reads = counted(page, 'GET', /^\/v1\/leases\/cql%2Flive$/)
  const losses = lostAnswers(page)
  await openSignedIn(page, running, '/leases/cql%2Flive')
  const main = page.getByRole('main')
  await expect(main).toContainText('Free. Cassandra confirmed it.')
  // Of one that is almost called the same, the page says nothing.
  for (const name of ['cql/live ', 'cql/Live', 'cql/live/2'])
    await cql(
      'INSERT INTO leases (name, owner, value) VALUES (?, ?, ?) IF NOT EXISTS USING TTL 300',
      name,
      'other',
      'x',
    )
  // By UPDATE: an INSERT would leave its marker behind, a zombie.
  await cql(
    'UPDATE leases USING TTL 300 SET owner = ?, value = ? WHERE name = ? IF owner = null',
    'plain',
    'v1',
    'cql/live',
  )
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(main).toContainText('plain')
  await expect(main).not.toContainText('other')
  // What is said of the time left, from here on.
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const look = () => {
      const text = document.querySelector('[aria-label=Now] .big')?.textContent ?? ''
      const word = text.startsWith('Free') ? 'Free' : text.startsWith('verifying') ? 'verifying' : 'time'
      // A page that heard nothing for a while says what the time was: that is neither.
      if (!/^(was |unknown|…|–|$)/.test(text) && said.at(-1) !== word) said.push(word)
      requestAnimationFrame(look)
    }
    look()
  })
  await cql(
    'UPDATE leases USING TTL 20 SET owner = ?, value = ? WHERE name = ? IF owner = ?',
    'plain',
    'w2',
    'cql/live',
    'plain',
  )
  await expect(main).toContainText('w2')
  await expect(main).toContainText('by a renewal')
  // It expires: nothing is said to be free before a SERIAL read has found it so.
  const words = () => page.evaluate(() => (window as unknown as { said: string[] }).said.join())
  await expect.poll(words, { timeout: 60_000 }).toContain('Free')
  expect(await words()).toMatch(/^time,(verifying,)?Free$/)
  // Where more than five seconds are between the last two reads, a renewal may have been missed.
  await expect(main).toContainText(/It expired without a renewal\.|How it ended was not seen\./)
  expect(reads(), 'the lease is read in full once').toBeLessThanOrEqual(1 + losses())

  await running.hold('cql/live', { owner: 'again', ttlSeconds: 300 })
  await expect(main).toContainText('again')
  const said = page.getByRole('region', { name: 'What Cassandra said' })
  await said.getByRole('button', { name: 'Read again' }).click()
  await expect(said).toContainText('SERIAL')
  expect(reads()).toBeGreaterThanOrEqual(2)
  expect(reads()).toBeLessThanOrEqual(2 + losses())
  for (const name of ['cql/live ', 'cql/Live', 'cql/live/2']) await running.free(name, 'other')
  await running.free('cql/live', 'again')
  await client.shutdown()
})

test('the page of a lease is stale in silence, stands still in a pause, and recovers without a reload', async ({
  page,
  gateway,
  running,
}) => {
  const name = 'stream/one'
  await running.hold(name, { owner: 'o', ttlSeconds: 600, value: 'first' })
  await openSignedIn(page, running, '/leases/stream%2Fone')
  const main = page.getByRole('main')
  await expect(main).toContainText('first')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByText(/Paused, .* behind/)).toBeVisible()
  await expect(main).toContainText('Paused. The lease is shown as it was then.')
  await running.hold(name, { owner: 'o', ttlSeconds: 600, value: 'second' })
  await expect(page.getByRole('button', { name: /Go live, [1-9]\d* change/ })).toBeVisible()
  await expect(main).toContainText('first')
  await page.getByRole('button', { name: /Go live/ }).click()
  await expect(main).toContainText('second')

  gateway.isSilent = true
  await expect(page.getByText(/The stream of this lease has been silent for/)).toBeVisible()
  await expect(main).toContainText('Whether it is held is unknown right now.')
  await expect(main).toContainText(/stale \d+ s/)
  await expect(page.getByRole('button', { name: /Release/ })).toHaveAttribute('aria-disabled', 'true')
  await running.free(name, 'o')
  gateway.isSilent = false
  await expect(main).toContainText('Free. Cassandra confirmed it.')
})

test('the palette finds a lease by a part of it, and opens pages, by keys alone', async ({
  page,
  running,
}) => {
  await running.hold('palette/billing-run', { owner: 'host-7', ttlSeconds: 600 })
  await openSignedIn(page, running)
  await expect(rowOf(page, 'palette/billing-run')).toBeVisible()
  await keysWork(page)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /Find a lease/ })
  await expect(field).toBeFocused()
  await page.keyboard.type('ling-run')
  await expect(page.getByRole('option', { name: /palette\/billing-run/ }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('palette/billing-run')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('audit')
  await expect(page.getByRole('option', { name: /Audit log/ })).toBeVisible()
  await page.getByRole('option', { name: /Audit log/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  // Directly after Escape the dialog is still drawn, and what was typed next acted as keys.
  await page.goto(`${running.url}/?help=1`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('aud')
  await expect(field).toHaveValue('aud')
  await running.free('palette/billing-run', 'host-7')
})

test('what is filtered can be taken along as CSV', async ({ page, running }) => {
  await Promise.all(['a', 'b'].map((leaf) => running.hold(`export/${leaf}`, { owner: 'o', ttlSeconds: 600 })))
  await openSignedIn(page, running, '/?prefix=export/&sort=name')
  await expect(rowOf(page, 'export/b')).toBeVisible()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Download CSV' }).click()
  const file = await (await downloading).createReadStream()
  const text = await new Response(file as never).text()
  expect(text.split('\r\n').map((line) => line.split(',').slice(0, 3).join())).toEqual([
    'table,name,owner',
    'leases,export/a,o',
    'leases,export/b,o',
    '',
  ])
  await expect(page.getByRole('dialog')).toContainText('Downloaded 2 leases.')
  await Promise.all(['a', 'b'].map((leaf) => running.free(`export/${leaf}`, 'o')))
})

test('a viewer watches, and is offered nothing that a viewer may not do', async ({ browser, running }) => {
  const vic = { username: 'vic', password: 'a password of vic' }
  await running.addUser({ ...vic, role: 'viewer' })
  await running.hold('viewer/a', { owner: 'o', ttlSeconds: 600, value: 'one' })
  const page = await (await browser.newContext()).newPage()
  await openSignedIn(page, running, '/?prefix=viewer/', vic)
  const row = rowOf(page, 'viewer/a')
  await expect(row).toContainText('one')
  await running.hold('viewer/a', { owner: 'o', ttlSeconds: 600, value: 'two' })
  await expect(row).toContainText('two')
  await expect(page.getByRole('button', { name: /Release|New lease/ })).toHaveCount(0)
  await keysWork(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('lease')
  await expect(page.getByRole('option', { name: /^Leases/ })).toBeVisible()
  await expect(page.getByRole('option', { name: /New lease|Release/ })).toHaveCount(0)
  await page.context().close()
  await running.free('viewer/a', 'o')
})
