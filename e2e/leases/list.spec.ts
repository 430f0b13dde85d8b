import { expect, keysWork, noteSaid, openPage, rowOf, test } from '../console/console.ts'

test('an empty table shows how to make the first lease, and a button makes one', async ({
  page,
  running,
}) => {
  await openPage(page, running)
  await expect(page.getByRole('heading', { name: 'No leases yet.' })).toBeVisible()
  await expect(page.getByText(`INSERT INTO ${running.keyspace}.leases`)).toHaveCount(0)
  await page.getByRole('button', { name: 'CQL' }).click()
  await expect(page.getByText(`${running.keyspace}.leases`).last()).toBeVisible()
  await page.getByRole('button', { name: 'Make one here, for 60 s' }).click()
  const row = rowOf(page, 'demo/first-lease')
  await expect(row).toContainText('held')
  await expect(row).toContainText(/00:[0-5]\d\.\d/)
  await expect(row).toContainText(/confirmed (<1|\d)/)
  const lease = await running.api('GET', '/v1/leases/demo%2Ffirst-lease')
  await expect(row).toContainText(lease.body.owner)
  await expect(row).toContainText(lease.body.version.slice(-7))
  // Gone, and only then, after a read has said so. It is said for five seconds.
  const saidGone = await noteSaid(page, '[role=row]', /demo\/first-lease.*gone/)
  await running.free('demo/first-lease', lease.body.owner)
  await expect(row).toHaveCount(0)
  await saidGone()
  await expect(page.getByRole('heading', { name: 'No leases yet.' })).toBeVisible()
})

test('a renewal is seen without a reload, and the countdown jumps back', async ({ page, running }) => {
  // A lease that was never seen to be renewed misses no renewal: it ends, in plain colour.
  // The last third of the TTL is long enough for a busy machine to see it and to renew the lease in it.
  await openPage(page, running)
  await running.hold('renewed', { owner: 'holder', ttlSeconds: 36 })
  const row = rowOf(page, 'renewed')
  await expect(row).toContainText(/held.*ends in 00:[01]\d/, { timeout: 60_000 })
  await running.hold('renewed', { owner: 'holder', ttlSeconds: 36 })
  await expect(row).toContainText('at risk', { timeout: 60_000 })
  await running.hold('renewed', { owner: 'holder', ttlSeconds: 60, value: 'second' })
  await expect(row).toContainText('held')
  await expect(row).toContainText('second')
  await expect(row).toContainText(/00:[1-5]\d/)
  await running.free('renewed', 'holder')
})

test('search is in names, owners and values, stands in the URL, and has a way out', async ({
  page,
  running,
}) => {
  await openPage(page, running)
  await running.hold('billing/run', { owner: 'o' })
  await running.hold('search/owner', { owner: 'billing/host' })
  await running.hold('search/value', { owner: 'o', value: 'for billing/x' })
  await running.hold('cdc/1', { owner: 'o' })
  await expect(rowOf(page, 'cdc/1')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('billing/')
  await expect(page).toHaveURL(/q=billing/)
  await expect(rowOf(page, 'cdc/1')).toHaveCount(0)
  for (const name of ['billing/run', 'search/owner', 'search/value'])
    await expect(rowOf(page, name)).toBeVisible()
  await page.reload()
  await expect(rowOf(page, 'billing/run')).toBeVisible()
  await page.getByLabel('Search names, owners and values').fill('nothing like it')
  await expect(page.getByRole('heading', { name: /No lease matches nothing like it/ })).toBeVisible()
  await page.getByRole('button', { name: 'Show all leases' }).click()
  await expect(rowOf(page, 'cdc/1')).toBeVisible()
  // A link may name a prefix: it says so, and has a way out too.
  await page.goto(`${running.url}/?prefix=billing/`)
  await expect(rowOf(page, 'billing/run')).toBeVisible()
  await expect(rowOf(page, 'search/owner')).toHaveCount(0)
  await page.getByRole('button', { name: /Remove the filter Name begins with/ }).click()
  await expect(rowOf(page, 'search/owner')).toBeVisible()
  await Promise.all(['billing/run', 'search/value', 'cdc/1'].map((name) => running.free(name, 'o')))
  await running.free('search/owner', 'billing/host')
})

test('a long list is read where it is scrolled to, and End and Home lead to its ends', async ({
  page,
  running,
}) => {
  const names = Array.from({ length: 260 }, (_, i) => `page/${String(i).padStart(3, '0')}`)
  for (let at = 0; at < names.length; at += 40)
    await Promise.all(
      names.slice(at, at + 40).map((name) => running.hold(name, { owner: 'o', ttlSeconds: 600 })),
    )
  await page.goto(`${running.url}/?prefix=page/&sort=name`)
  await expect(rowOf(page, 'page/000')).toBeInViewport()
  await expect(page.getByRole('status').filter({ hasText: /^260 of \d+ leases$/ })).toBeVisible()
  const table = page.getByRole('table', { name: 'Leases' })
  await expect(table).toHaveAttribute('aria-rowcount', '261')
  // Rows outside of the window have the height of those in it, or the list would move under its reader.
  const heights = await page
    .getByRole('table', { name: 'Leases' })
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((row) => row.getBoundingClientRect().height))
  expect([...new Set(heights)]).toEqual([40])
  // No more of it is drawn than is needed.
  expect(await table.getByRole('link').count()).toBeLessThan(260)

  await page.evaluate(() => scrollTo({ top: 130 * 40 }))
  await expect(rowOf(page, 'page/135')).toBeInViewport()
  await expect(rowOf(page, 'page/000')).toHaveCount(0)
  await expect(rowOf(page, 'page/135')).toHaveAttribute('aria-rowindex', '137')
  await rowOf(page, 'page/135').getByRole('link').focus()
  await page.keyboard.press('End')
  await expect(rowOf(page, 'page/259').getByRole('link')).toBeFocused()
  await expect(rowOf(page, 'page/259')).toBeInViewport()
  await page.keyboard.press('k')
  await expect(rowOf(page, 'page/258').getByRole('link')).toBeFocused()
  await page.keyboard.press('Home')
  await expect(rowOf(page, 'page/000').getByRole('link')).toBeFocused()
  for (let at = 0; at < names.length; at += 40)
    await Promise.all(names.slice(at, at + 40).map((name) => running.free(name, 'o')))
})

test('rows are ordered by what the head of a column says, both ways, and the URL keeps it', async ({
  page,
  running,
}) => {
  await running.hold('sort/b', { owner: 'x', ttlSeconds: 300 })
  await running.hold('sort/a', { owner: 'z', ttlSeconds: 600 })
  await running.hold('sort/c', { owner: 'y', ttlSeconds: 900 })
  await page.goto(`${running.url}/?prefix=sort/`)
  const links = page.getByRole('table', { name: 'Leases' }).getByRole('link')
  const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
  const order = (...leaves: string[]) => expect(links).toHaveText(leaves.map((leaf) => `sort/${leaf}`))
  await head('Name').click()
  await order('a', 'b', 'c')
  await head('Name').click()
  await order('c', 'b', 'a')
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
  await head('Owner').click()
  await order('b', 'c', 'a')
  await page.reload()
  await order('b', 'c', 'a')
  await head('Time left').click()
  await order('b', 'a', 'c')
  for (const [name, owner] of [
    ['a', 'z'],
    ['b', 'x'],
    ['c', 'y'],
  ] as const)
    await running.free(`sort/${name}`, owner)
})

test('names make the round trip through page, URL and API, and are text', async ({ page, running }) => {
  const names = [
    'a/b c',
    '日本',
    '"; DROP',
    '%2F',
    'a/../b',
    '<img src=x onerror=1>',
    'x.rsc',
    'n'.repeat(512),
    '..',
    "it's",
  ]
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    dialog.dismiss()
  })
  for (const name of names)
    if (name === '..') await running.hold('dots', { owner: 'o', ttlSeconds: 900 })
    else
      await running.hold(name, {
        owner: '<b>owner</b>',
        ttlSeconds: 900,
        value: `<script>alert(1)</script> ${name}`.slice(0, 900),
      })
  await page.goto(running.url)
  for (const name of names.filter((each) => each !== '..')) {
    await rowOf(page, name).getByRole('link').click()
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText(name)
    await expect(page.getByText('<b>owner</b>').first()).toBeVisible()
    await expect(page.getByText(`<script>alert(1)</script> ${name}`.slice(0, 900)).first()).toBeVisible()
    // The URL of the page is one that can be opened, reloaded and pasted.
    await page.goto(page.url())
    await expect(heading).toHaveText(name)
    await page.goto(running.url)
  }
  expect(dialogs).toEqual([])
  expect(await page.locator('main img, main script').count()).toBe(0)
  await Promise.all(names.map((name) => running.free(name, '<b>owner</b>')))
  await running.free('dots', 'o')
})

test('an invalid name is refused with the reason', async ({ page, running }) => {
  await page.goto(`${running.url}/leases/${'n'.repeat(513)}`)
  await expect(page.getByText('The name is 513 bytes long; 512 are allowed.')).toBeVisible()
  await page.goto(`${running.url}/?new=1`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('x'.repeat(513))
  await dialog.getByRole('button', { name: /Acquire|Make|Create/ }).click()
  await expect(dialog.getByText('The name is 513 bytes long; 512 are allowed.')).toBeVisible()
  await dialog.getByLabel('Name').fill('made/in the dialog')
  await dialog.getByRole('button', { name: /Acquire|Make|Create/ }).click()
  await expect(dialog.getByText(/token/i).first()).toBeVisible()
  const made = await running.api('GET', '/v1/leases/made%2Fin%20the%20dialog')
  expect(made.status).toBe(200)
  await running.free('made/in the dialog', made.body.owner)
})

test('keyboard: move, open, release, help', async ({ page, running }) => {
  await running.hold('keys/a', { owner: 'o' })
  await running.hold('keys/b', { owner: 'o' })
  await page.goto(`${running.url}/?prefix=keys/`)
  await expect(rowOf(page, 'keys/a')).toBeVisible()
  await expect(rowOf(page, 'keys/b')).toBeVisible()
  await keysWork(page)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  const current = page.getByRole('row').and(page.locator('[aria-current]'))
  const name = await current.getByRole('link').textContent()
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toContainText(`Release ${name}`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText(/keys/i)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name as string)
  await running.free('keys/a', 'o')
  await running.free('keys/b', 'o')
})

test('a list is one stop of Tab, moved through by arrows, and a click anywhere opens a row', async ({
  page,
  running,
}) => {
  const names = Array.from({ length: 60 }, (_, i) => `stops/${String(i).padStart(2, '0')}`)
  await Promise.all(
    names.map((name) => running.hold(name, { owner: 'o', ttlSeconds: 300, value: 'some text' })),
  )
  await page.goto(`${running.url}/?prefix=stops/`)
  const links = page.getByRole('table', { name: 'Leases' }).getByRole('link')
  await expect(links).toHaveCount(60)
  const stops = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLElement>('#main :is(a, button, input, select, [tabindex])')].filter(
          (each) => each.tabIndex >= 0,
        ).length,
    )
  // The way out of the prefix, the search, Views, Columns, Export, New lease, eight states, five heads, the row with its two buttons.
  const mostStops = 22
  await expect.poll(stops).toBeLessThanOrEqual(mostStops)

  // From the search, Enter and the arrow go to the first result; arrows, j and k move on.
  await keysWork(page)
  await page.keyboard.press('/')
  await page.keyboard.press('Enter')
  await expect(links.first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('j')
  await expect(links.nth(2)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(links.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(links.last()).toBeFocused()
  await expect.poll(stops).toBeLessThanOrEqual(mostStops)
  // Tab leaves the rows after the one.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.rows') ?? null)).toBeNull()
  await page.keyboard.press('/')
  await page.keyboard.press('Enter')
  await expect(links.first()).toBeFocused()

  // Text that is being selected opens nothing; a click does.
  const name = (await links.nth(3).textContent()) as string
  const value = rowOf(page, name).getByText('some text')
  const box = await value.boundingBox()
  if (box === null) throw new Error('no value')
  await page.mouse.move(box.x + 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 40, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(0)
  await expect(page).toHaveURL(/prefix=stops/)
  await page.getByRole('heading', { level: 1 }).click()
  await value.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await Promise.all(names.map((each) => running.free(each, 'o')))
})

test('the search keeps the focus and every letter, and Esc does what the help says', async ({
  page,
  running,
}) => {
  await running.hold('esc/one', { owner: 'o' })
  await page.goto(running.url)
  await expect(rowOf(page, 'esc/one')).toBeVisible()
  const search = page.getByLabel('Search names, owners and values')
  await keysWork(page)
  await page.keyboard.press('/')
  await page.keyboard.type('no such prefix', { delay: 60 })
  await expect(page.getByRole('heading', { name: /No lease matches no such prefix/ })).toBeVisible()
  await expect(search).toBeFocused()
  // Enter has nowhere to go to.
  await page.keyboard.press('Enter')
  await expect(search).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')
  await expect(rowOf(page, 'esc/one')).toBeVisible()
  await expect(search).toBeFocused()
  // The URL follows, and eats no letter on the way.
  await page.keyboard.type('esc/', { delay: 150 })
  await expect(page).toHaveURL(/q=esc/)
  await expect(search).toHaveValue('esc/')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'esc/one').getByRole('link')).toBeFocused()
  // It selects the text, so that the next letters replace it.
  await page.keyboard.press('/')
  await page.keyboard.type('e')
  await expect(search).toHaveValue('e')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/q=/)
  await page.keyboard.press('Escape')
  // To the first row that is there, before or after the rows of the emptied search have come.
  await expect(page.getByRole('table', { name: 'Leases' }).locator('a:focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main')).toBeFocused()
  await running.free('esc/one', 'o')
})

test('names are shortened before their leaf, never in it', async ({ page, running }) => {
  const names = [
    'orders/eu-central-1/rebalance-partition-0017',
    'billing/invoicing/monthly/invoice-run-2026-11',
    'platform/scheduler/leader',
    'analytics/warehouse/ingest/shard-000042-compact',
    'a-very-long-first-part-of-a-name/nightly-backup',
    'a-very-long-first-part-of-a-name/recalculate-exchange-rates-of-yesterday',
    'recalculate-every-exchange-rate-of-the-last-five-years',
  ].map((name) => `leaf/${name}`)
  const owner = 'ip-10-0-3-17.eu-central-1.internal:4122:0123456789ab:1'
  await Promise.all(names.map((name) => running.hold(name, { owner, value: 'batch=2026-11-20T03:00Z' })))
  for (const width of [1440, 1280, 900, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${running.url}/?prefix=leaf/`)
    for (const name of names) await expect(rowOf(page, name)).toBeVisible()
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.rows .leaf')]
        .filter((leaf) => leaf.scrollWidth > leaf.clientWidth || leaf.scrollHeight > leaf.clientHeight)
        .map((leaf) => leaf.textContent),
    )
    expect(cut, `${width} px`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await Promise.all(names.map((name) => running.free(name, owner)))
})

test('the list shows names that end alike whole, on a phone too', async ({ page, running }) => {
  const names = [1, 2, 3].map(
    (i) => `tenants/migrate/zürich-very-long-name-${i}/with/many/parts/still-more-of-it`,
  )
  for (const name of names) await running.hold(name, { owner: `of ${name.slice(-30)}` })
  await openPage(page, running, '/?prefix=tenants/migrate')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const name of names) {
      const link = rowOf(page, name).getByRole('link', { name, exact: true })
      await expect(link).toBeVisible()
      // All of it is drawn: nothing gives way to the leaf.
      const hidden = await link.evaluate((node) =>
        [node, ...node.querySelectorAll('*')]
          .filter((each) => getComputedStyle(each).display !== 'inline')
          .some(
            (each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1,
          ),
      )
      expect(hidden, `${name} at ${width}`).toBe(false)
    }
  }
  for (const name of names) await running.free(name, `of ${name.slice(-30)}`)
})
