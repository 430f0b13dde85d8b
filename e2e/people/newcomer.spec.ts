/** The first two minutes of a newcomer: an empty console, a demo election, its lease in the list, and a leader that dies. */
import { expect, openPage, rowOf, test } from '../console/console.ts'
import { candidateIn, endRun, runOf, storyEnds } from '../lab/lab-page.ts'

// The lanes move.
test.use({ reducedMotion: 'no-preference' })

test('on an empty console one press starts an election, and the list shows its lease live', async ({
  page,
  running,
}) => {
  await openPage(page, running)
  await expect(page.getByRole('heading', { name: 'No leases yet.' })).toBeVisible()
  await page.getByRole('button', { name: 'Start a demo election' }).click()
  await expect(page).toHaveURL(/\/lab\/[a-z0-9]{8}$/)
  const run = runOf(page)
  const name = `lab/${run}/leader`
  const first = await candidateIn(page, /: leads$/)

  const list = await page.context().newPage()
  await list.goto(running.url)
  const row = rowOf(list, name)
  await expect(row).toContainText(`${first}:`)
  await expect(row).toContainText('held')
  const second = await candidateIn(page, new RegExp(`(?!${first})c\\d: leads$`))
  await expect(row).toContainText(`${second}:`)

  await row.getByRole('link', { name, exact: true }).click()
  await expect(list.getByRole('region', { name: 'History' })).toContainText('a run of the election lab')
  await list.getByRole('link', { name: 'See the run' }).click()
  await expect(list).toHaveURL(new RegExp(`/lab/${run}$`))
  await storyEnds(page)
  await endRun(page)
  await list.goto(running.url)
  await expect(list.getByRole('heading', { name: 'No leases yet.' })).toBeVisible()
})
