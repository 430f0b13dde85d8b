import { expectAccessible } from '../browser/axe.ts'
import { busyIn, expect, pressUntil, test } from '../console/console.ts'
import { driver } from '../console/running-console.ts'
import { as, candidateIn, endRun, lane, lanes, runOf, start, story, verdict } from './lab-page.ts'

// The lanes move.
test.use({ reducedMotion: 'no-preference' })

test('a leader crashes and another takes over: in the lanes, in Cassandra and in the verdict', async ({
  browser,
  running,
}) => {
  const page = await as('operator', 'lab-crash', browser, running)
  await start(page, 'Crash and takeover')
  const run = runOf(page)
  const crashed = async () => {
    const { body } = await running.api('GET', `/v1/lab/runs/${run}`)
    return (body?.entries ?? []).find(({ kind }: { kind: string }) => kind === 'fault')?.candidate ?? ''
  }
  // By the journal: it leads for some seconds, and the page may be drawn when the second one does.
  await expect.poll(crashed, { timeout: 90_000 }).toMatch(/^c\d$/)
  const first = await crashed()
  await expect(lane(page, new RegExp(`^Candidate ${first}: crashed`))).toHaveCount(1, { timeout: 60_000 })

  const client = await driver()
  const lastLeads = async () => {
    const { body } = await running.api('GET', `/v1/lab/runs/${run}`)
    return { name: body.name, ...body.entries.findLast(({ kind }: { kind: string }) => kind === 'leads') }
  }
  // By Cassandra it leads once its row is there, as the lane shows. It knows so itself, and says it, once its term is written. A server
  // that stands still for as long as its lease lasts loses it to the next one: all three are looked at again.
  await expect(async () => {
    const second = await candidateIn(page, new RegExp(`^Candidate (?!${first})c\\d: leads`))
    await expect.poll(async () => (await lastLeads()).candidate, { timeout: 10_000 }).toBe(second)
    const { name, owner } = await lastLeads()
    const cql = `SELECT owner FROM ${running.keyspace}.leases WHERE name = ?`
    expect((await client.execute(cql, [name])).rows[0]?.owner).toBe(owner)
  }).toPass({ timeout: 180_000 })
  await client.shutdown()

  await expect(story(page).getByText('The story has ended')).toBeVisible({ timeout: 60_000 })
  await expect(verdict(page).getByRole('listitem').first()).toBeVisible()
  await expect(verdict(page).getByText('broken:')).toHaveCount(0)
  await expectAccessible(page, 'a run of the lab')

  await endRun(page)
  // Its link shows the same, from the journal alone.
  await page.reload()
  await expect(page.getByText('This run has ended.')).toBeVisible()
  await expect(lane(page, new RegExp(`^Candidate ${first}: crashed`))).toHaveCount(1)
  // It leads for as long again: a page that was drawn too late for that plays once more.
  await expect(async () => {
    const play = page.getByRole('button', { name: 'Play from the start' })
    if (await play.isVisible()) await play.click()
    await expect(lane(page, new RegExp(`^Candidate ${first}: leads`))).toHaveCount(1, { timeout: 10_000 })
  }).toPass({ timeout: 120_000 })
  await expect(page.getByRole('slider', { name: 'Time of the run' })).toHaveAttribute(
    'aria-valuetext',
    /^\d+\.\d s, of /,
  )
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'The end' }).click()
  await expect(lane(page, new RegExp(`^Candidate ${first}: crashed`))).toHaveCount(1)
  await page.getByRole('button', { name: 'Show as a table' }).click()
  await expect(page.getByRole('table', { name: 'Candidates, and what each did' })).toBeVisible()
  await expectAccessible(page, 'a finished run of the lab')
  await page.context().close()
})

test('a long pause without fencing: two believe, an addition is lost, and the verdict says why', async ({
  browser,
  running,
}) => {
  const page = await as('operator', 'lab-pause', browser, running)
  await start(page, 'Long pause, without fencing')
  await expect(story(page).getByText('The story has ended')).toBeVisible({ timeout: 120_000 })
  const counters = page.getByRole('region', { name: 'Both counters' })
  await expect(counters).toContainText('fenced, right')
  await expect(counters).toContainText('unfenced, wrong')
  await expect(page.getByRole('region', { name: 'The leader' })).toContainText('Two believe to lead')
  await expect(verdict(page).getByText('broken, and explained:').first()).toBeAttached()
  await expect(verdict(page).getByText('broken:', { exact: true })).toHaveCount(0)
  await endRun(page)
  await page.context().close()
})

test('controls act on a candidate by the keyboard alone, and are explained', async ({ browser, running }) => {
  const page = await as('operator', 'lab-keys', browser, running)
  await start(page, 'Playground')
  await expect(lane(page, /^Candidate c1/)).toHaveCount(1)
  const crash = page.getByRole('button', { name: 'Crash c1' })
  await expect(crash).toBeVisible()
  await page.keyboard.press('1')
  await expect(crash).toBeFocused()
  await expect(crash).toHaveAccessibleDescription(/It ends without a release/)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Pause c1' })).toBeFocused()
  // While the page has no connection its buttons are locked, and a key does nothing.
  const pauses = page.getByRole('button', { name: /^(Pause|Resume) c1/ })
  const pressPause = async () => {
    await expect(pauses).not.toHaveAttribute('aria-disabled', 'true', { timeout: 90_000 })
    await page.keyboard.press('g')
  }
  for (const words of [/^Candidate c1: paused/, /^Candidate c1: (?!paused)/])
    await pressUntil(pressPause, lane(page, words), busyIn(page))
  // The heads of the columns are the words of the first row alone.
  await page.getByRole('button', { name: 'More for c1' }).click()
  for (const [name, word] of [
    ['Delay the answers of c1', 'delay'],
    ['Hold back the next write of c1', 'hold'],
    ['Lose the next answer to c1', 'lose'],
    ['Leave: c1', 'leave'],
  ] as const)
    await expect(page.getByRole('button', { name }).getByText(word, { exact: true })).toBeVisible()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys of the lab' })
  await expect(keys).toBeVisible()
  await page.keyboard.press('Escape')
  // As long as it fades, it takes the keys.
  await expect(keys).toHaveCount(0)
  await page.keyboard.press('f')
  await expect(page).toHaveURL(/present=1/)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await endRun(page)
  await page.context().close()
})

test('another story asks before it ends the run that goes on, and begins when its place is free', async ({
  browser,
  running,
}) => {
  const page = await as('operator', 'lab-another', browser, running)
  await start(page, 'Playground')
  await expect(lanes(page)).toBeVisible()
  const first = runOf(page)
  await story(page).getByRole('button', { name: 'Clean hand-over' }).click()
  const asked = page.getByRole('dialog', { name: 'End this run and start “Clean hand-over”' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(asked).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'End run' })).toBeVisible()
  expect(runOf(page)).toBe(first)
  await story(page).getByRole('button', { name: 'Clean hand-over' }).click()
  // A run keeps its place for ten seconds at least, and this one is younger.
  await asked.getByRole('button', { name: 'End it and start' }).click()
  await expect(
    story(page).getByRole('listitem').filter({ hasText: 'All three candidates campaign.' }),
  ).toBeVisible({ timeout: 120_000 })
  expect(runOf(page)).not.toBe(first)
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await endRun(page)
  await page.context().close()
})

test('a viewer starts no run, and watches a running one', async ({ browser, running }) => {
  const operator = await as('operator', 'lab-shown', browser, running)
  await start(operator, 'Playground')
  await expect(lanes(operator)).toBeVisible()
  const page = await as('viewer', 'lab-viewer', browser, running)
  await expect(page.getByText('Operators start runs. You can watch the running ones.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Start/ })).toHaveCount(0)
  await expectAccessible(page, 'the lab of a viewer')
  await page.getByRole('region', { name: 'Running now' }).getByRole('link', { name: 'Playground' }).click()
  await expect(lane(page, /^Candidate c\d: leads/)).toHaveCount(1, { timeout: 120_000 })
  await expect(page.getByRole('toolbar')).toHaveCount(0)
  await expect(operator.getByRole('button', { name: /2 watch/ })).toBeVisible()
  await page.context().close()
  await endRun(operator)
  await expectAccessible(operator, 'all runs of the lab')
  await operator.context().close()
})

test('the bakery serves its customers one at a time', async ({ browser, running }) => {
  const page = await as('operator', 'lab-bakery', browser, running)
  await start(page, 'The bakery')
  const customers = page.getByRole('region', { name: 'The bakery' })
  await expect(customers.getByText('inside', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await expect(customers.getByText('inside', { exact: true })).toHaveCount(1)
  // No lease, no leader, no lanes; and nothing to do to a customer that its statements do not have.
  await expect(lanes(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'The leader' })).toHaveCount(0)
  const toolbar = customers.getByRole('toolbar', { name: 'Act on c1' })
  await expect(toolbar.getByRole('button', { name: 'Crash c1' }).getByText('crash')).toBeVisible()
  await expect(toolbar.getByRole('button', { name: /Resign|Hold back|Lose/ })).toHaveCount(0)
  await expect(verdict(page).getByRole('listitem')).toHaveText([/Two customers inside at once: never\./])
  await expectAccessible(page, 'the bakery')
  await endRun(page)
  await page.context().close()
})
