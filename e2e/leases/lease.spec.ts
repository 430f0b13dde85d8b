import { expect, lostAnswers, openPage, rowOf, test } from '../console/console.ts'
import { driver } from '../console/running-console.ts'
import { browserOf, forced, holders } from '../releases/releasing.ts'

test('the detail page shows the facts and what Cassandra said', async ({ page, running }) => {
  const { owner, version } = await running.hold('detail/one', { ttlSeconds: 59, value: 'step=1' })
  await page.goto(`${running.url}/leases/detail%2Fone`)
  await expect(page.getByRole('heading', { name: 'detail/one' })).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(/00:[0-5]\d\.\d/)
  const main = page.getByRole('main')
  for (const text of [owner, version, 'step=1', '59 s'])
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
  await expect(page.getByText('Free. Cassandra confirmed it.')).toBeVisible()
  await expect(main).toContainText('Released early, by its holder or a program that named it.')
  await expect(main).toContainText(
    /If another program released it, the old holder may still act until .* UTC/,
  )
  // It goes on watching.
  await running.hold('detail/one', { owner: 'next' })
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(main.getByText('next').first()).toBeVisible()
  await running.free('detail/one', 'next')
})

test('the page of a free lease reads it once: its stream says that the lease stays free', async ({
  page,
  running,
}) => {
  const missed: string[] = []
  const losses = lostAnswers(page)
  page.on('response', (response) => {
    if (response.status() === 404) missed.push(new URL(response.url()).pathname)
  })
  await page.goto(`${running.url}/leases/never-held`)
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: /^Free/ })).toBeVisible()
  for (let pulses = 0; pulses < 4; pulses += 1)
    await page.waitForResponse((response) => response.url().endsWith('/v1/cluster'))
  expect(new Set(missed)).toEqual(new Set(['/v1/leases/never-held']))
  expect(missed.length).toBeLessThanOrEqual(1 + losses())
})

test('a zombie, a partial and an eternal lease are named, in the list and by themselves', async ({
  page,
  running,
}) => {
  const client = await driver()
  const table = `${running.keyspace}.leases`
  await client.execute(`UPDATE ${table} USING TTL 600 SET value = 'v' WHERE name = 'z' IF owner = null`)
  await client.execute(
    `INSERT INTO ${table} (name, owner, value) VALUES ('p', 'o', 'v') IF NOT EXISTS USING TTL 580`,
  )
  await client.execute(`UPDATE ${table} USING TTL 600 SET owner = 'o' WHERE name = 'p' IF owner = 'o'`)
  await client.execute(`INSERT INTO ${table} (name, owner) VALUES ('e', 'o') IF NOT EXISTS USING TTL 0`)
  await client.shutdown()
  await page.goto(running.url)
  await expect(rowOf(page, 'z')).toContainText('zombie')
  await expect(rowOf(page, 'p')).toContainText('partial')
  await expect(rowOf(page, 'e')).toContainText('eternal')
  await expect(rowOf(page, 'e')).toContainText('no expiry')
  const zombie = rowOf(page, 'z')
  await expect(zombie.getByRole('button', { name: 'Locked z: it has no owner' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await zombie.getByRole('link').focus()
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await zombie.getByRole('link').click()
  await expect(page.getByRole('main')).toContainText('zombie')
  await expect(page.getByRole('main')).toContainText('IF NOT EXISTS')
  await expect(page.getByRole('main')).toContainText(/leasehold( --)? run z -- true/)
  await expect(page.getByRole('button', { name: /Release/ })).toHaveAttribute('aria-disabled', 'true')
  for (const name of ['p', 'e']) await running.free(name, 'o')
  await running.hold('z', { owner: 'o' })
  await expect(page.getByRole('timer')).toBeVisible()
  await running.free('z', 'o')
})

test('what was done to a lease stands on its page for everyone, and until when the old holder may act', async ({
  browser,
  page,
  running,
}) => {
  const viewer = { username: 'looker', password: 'a password of looker' }
  await running.addUser({ ...viewer, role: 'viewer' })
  const name = 'memory/one'
  const act = (mode: 'ask' | 'kill') => forced(running, name, mode, `INC-4711 ${mode}`)
  const others = await browserOf(browser, running, viewer)
  // All up to the next holder is done within its TTL.
  await running.hold(name, { owner: 'old holder', ttlSeconds: 90 })
  const asked = await act('ask')
  await openPage(others, running, '/leases/memory%2Fone')
  const region = others.getByRole('region', { name: /^Release requests/ })
  await expect(region).toContainText(/admin asked the holder to resign at .* UTC/)
  await expect(region).toContainText('INC-4711 ask')
  await page.goto(`${running.url}/leases/memory%2Fone`)
  const own = page.getByRole('region', { name: 'Release requests' })
  await expect(own.getByRole('link', { name: 'See the release' })).toHaveAttribute(
    'href',
    new RegExp(`/releases/${asked}$`),
  )
  await act('kill')
  for (const each of [page, others]) {
    const main = each.getByRole('main')
    await expect(main).toContainText('The old holder may still act.')
    await expect(main).toContainText(
      /must have stopped by .* UTC \(another (1 min|1 min \d+ s|\d+ s)\), if it keeps to its deadline/,
    )
    await expect(main).not.toContainText(/can acquire the lease now/)
    await expect(main).toContainText(/Killed by admin at .* UTC/)
  }
  // The next holder does not make the old one stop.
  await running.hold(name, { owner: 'new holder', ttlSeconds: 300 })
  await expect(region).toContainText(/old holder held the lease, and may act until/)
  await expect(others.getByText(/^Two holders may act until .* UTC/)).toBeVisible()
  // Once its TTL is over, the page says so by itself.
  await expect(region).toContainText(/old holder held the lease, and must have stopped by/, {
    timeout: 180_000,
  })
  // Its entries in the audit log are one link away, for operators.
  await expect(others.getByRole('link', { name: 'Audit entries' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Audit entries' }).click()
  await expect(page).toHaveURL(/\/audit\?name=memory%2Fone&table=leases/)
  await others.context().close()
  await running.free(name, 'new holder')
})

test('the page of a broken lease and of a killed one says each thing once', async ({ page, running }) => {
  const main = page.getByRole('main')
  // The history, which may come later, tells each event in its own place.
  // On a busy machine what is stale says so, in more words.
  const once = (words: RegExp, what: string) => expect.poll(() => times(words), { message: what }).toBe(1)
  const times = async (words: RegExp) => {
    const [all, history] = await main.evaluate((node) => [
      (node as HTMLElement).innerText,
      node.querySelector<HTMLElement>('[aria-label="History"]')?.innerText ?? '',
    ])
    const count = (text = '') => text.match(words)?.length ?? 0
    return count(all) - count(history)
  }
  const act = async (name: string, mode: 'break' | 'kill') => {
    await forced(running, name, mode, `INC-4712 ${mode}`)
    await page.goto(`${running.url}/leases/${encodeURIComponent(name)}`)
    await expect(page.getByRole('region', { name: 'Releases by force' })).toContainText(`INC-4712 ${mode}`)
  }
  await running.hold('once/one', { owner: 'old holder', ttlSeconds: 300 })
  await act('once/one', 'break')
  await expect(main).toContainText('Broken. It cannot be acquired yet.')
  await expect(main).toContainText(/Broken by admin at .* UTC/)
  await once(/can acquire|can be acquired/g, 'what follows')
  await once(/safe at|can be acquired from/gi, 'from when on')
  await once(/broke it|broken by/gi, 'who did it')

  await running.hold('once/two', { owner: 'old holder', ttlSeconds: 300 })
  await act('once/two', 'kill')
  await expect(main).toContainText('The old holder may still act.')
  await expect(main).toContainText(/Killed by admin at .* UTC/)
  await once(/may act until|must have stopped by/g, 'until when')
  await once(/free/gi, 'the state')
  await once(/killed/gi, 'who did it')
})

test('a renewal is claimed only where one was seen, and a rhythm only of a holder that has one', async ({
  page,
  running,
}) => {
  await running.hold('rhythm/plain', { owner: 'by hand', ttlSeconds: 300 })
  await page.goto(`${running.url}/leases/rhythm%2Fplain`)
  const main = page.getByRole('main')
  await expect(main).toContainText(/The lease ends at .* UTC, unless it is renewed/)
  await expect(main.getByText('Written', { exact: true })).toBeVisible()
  for (const guess of ['renews with', 'stops with', 'at risk under'])
    await expect(main).not.toContainText(guess)
  // The mark of its TTL is the only one, and a telephone has no room for it.
  await page.setViewportSize({ width: 390, height: 844 })
  const gap = await main.evaluate((node) => {
    const [bar, said] = ['.scale .bar', '.now .say'].map((part) => node.querySelector(part))
    return (said?.getBoundingClientRect().top ?? 0) - (bar?.getBoundingClientRect().bottom ?? 0)
  })
  expect(gap, 'without marks no room is kept for their words').toBeLessThan(20)
  await page.setViewportSize({ width: 1280, height: 720 })
  await running.hold('rhythm/plain', { owner: 'by hand', ttlSeconds: 300, value: 'again' })
  await expect(main).toContainText('by a renewal')
  await expect(main).toContainText('at risk under')
  await running.free('rhythm/plain', 'by hand')

  await using others = await holders(running)
  await others.hold('rhythm/library', { ttlSeconds: 20 })
  await page.goto(`${running.url}/leases/rhythm%2Flibrary`)
  await expect(main).toContainText(/renews with13 s left/)
  await expect(main).toContainText(/stops with[\d.]+ s left/)
})

test('a partial lease has two stripes, on its own page as in the list', async ({ page, running }) => {
  const client = await driver()
  const table = `${running.keyspace}.leases`
  await client.execute(
    `INSERT INTO ${table} (name, owner, value) VALUES ('stripes', 'o', 'v') IF NOT EXISTS USING TTL 500`,
  )
  await client.execute(`UPDATE ${table} USING TTL 600 SET owner = 'o' WHERE name = 'stripes' IF owner = 'o'`)
  await client.shutdown()
  await page.goto(`${running.url}/leases/stripes`)
  await expect(page.getByRole('main')).toContainText('Its renewals seem to update only the owner.')
  const [fills, track] = await page.evaluate(() => {
    const bar = document.querySelector('.scale .bar') as HTMLElement
    const { top } = bar.getBoundingClientRect()
    const lines = [...bar.querySelectorAll('i')].map((line) => {
      const box = line.getBoundingClientRect()
      return [box.top - top, box.bottom - top]
    })
    const under = getComputedStyle(bar, '::before')
    const from = Number.parseFloat(under.top)
    const stripes = under.backgroundImage.match(/\d+px/g)?.map(Number.parseFloat) ?? []
    return [
      lines,
      [from, from + (stripes[0] ?? 0), from + (stripes.at(-1) ?? 0), from + Number.parseFloat(under.height)],
    ]
  })
  expect(fills?.flat()).toEqual(track)
  await running.free('stripes', 'o')
})
