/** The first two minutes of a newcomer: an empty console, a demo election, its lease in the list, and a leader that dies. */
import { busyIn, expect, openPage, pressUntil, rowOf, test } from '../console/console.ts'
import { candidateIn, endRun, runOf, story, storyEnds } from '../lab/lab-page.ts'

// The lanes move.
test.use({ reducedMotion: 'no-preference' })

test('on an empty console one press starts an election, and the list shows its lease live', async ({
  page,
  running,
}) => {
  await openPage(page, running)
  await expect(page.getByRole('heading', { name: 'No leases yet.' })).toBeVisible()
  const starts = page.getByRole('button', { name: 'Start a demo election' })
  await pressUntil(() => starts.click(), story(page), busyIn(page))
  await expect(page).toHaveURL(/\/lab\/[a-z0-9]{8}$/)
  const run = runOf(page)
  const name = `lab/${run}/leader`
  await candidateIn(page, /: leads$/)
  // As the lab noted it: on a busy machine a page may show its first lanes when the second candidate leads.
  const leaders = async () => {
    const led: string[] = []
    for (let from: number | null = 0; from !== null; ) {
      const { body } = await running.api('GET', `/v1/lab/runs/${run}?from=${from}`)
      for (const entry of body.entries) if (entry.kind === 'leads') led.push(entry.candidate)
      from = body.nextFrom
    }
    return led
  }

  const list = await page.context().newPage()
  await list.goto(running.url)
  const row = rowOf(list, name)
  await expect(row).toContainText(/c\d:/)
  await expect(row).toContainText('held')
  const howMany = async () => new Set(await leaders()).size
  await expect.poll(howMany, { timeout: 90_000 }).toBeGreaterThan(1)
  // Of a server that stood still for too long the next candidate leads before the row is looked at.
  await expect(async () => {
    await expect(row).toContainText(`${(await leaders()).at(-1)}:`, { timeout: 10_000 })
  }).toPass({ timeout: 120_000 })

  await row.getByRole('link', { name, exact: true }).click()
  await expect(list.getByRole('region', { name: 'History' })).toContainText('a run of the election lab')
  await list.getByRole('link', { name: 'See the run' }).click()
  await expect(list).toHaveURL(new RegExp(`/lab/${run}$`))
  await storyEnds(page)
  await endRun(page)
  await list.goto(running.url)
  await expect(list.getByRole('heading', { name: 'No leases yet.' })).toBeVisible()
})
