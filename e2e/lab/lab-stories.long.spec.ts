/**
 * The stories of the lab, each in Chromium to its end: what the lanes say while it plays is compared with what a client of its own reads
 * from Cassandra, and the verdict is read at the end. Afterwards the run's link shows the same, and nothing of the run is left.
 */
import type { Browser, Page } from '@playwright/test'
import { encodeSegment } from '../../lib/contract/path.ts'
import { expect, test } from '../console/console.ts'
import type { RunningConsole } from '../console/running-console.ts'
import { as, candidateIn, endRun, lane, start, storyEnds, verdict } from './lab-page.ts'
import { Witness } from './lab-witness.ts'

// Each worker has a console of its own: three stories play at a time.
test.describe.configure({ mode: 'parallel', timeout: 300_000 })

async function play(title: string, browser: Browser, running: RunningConsole) {
  const username = `plays ${title}`.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  const page = await as('operator', username, browser, running)
  await start(page, title)
  return { page, running, witness: await Witness.of(page, running) }
}

type Played = Awaited<ReturnType<typeof play>>

const leads = (candidate: string) => new RegExp(`^Candidate ${candidate}: leads$`)
const anyLeads = leads('c\\d')
const anotherLeads = (first: string) => leads(`(?!${first})c\\d`)
const head = (page: Page) => page.getByRole('region', { name: 'The leader' })
const table = (page: Page) => page.getByRole('table', { name: 'Candidates, and what each did' })
const cellsOf = (page: Page, candidate: string) =>
  table(page)
    .getByRole('row', { name: new RegExp(`^Candidate ${candidate}:`) })
    .getByRole('cell')
const columns = { leads: 0, believes: 1, tries: 3, happened: 5 }
const asTable = (page: Page) => page.getByRole('button', { name: 'Show as a table' }).click()

/** The tenures that the lanes show, in their order; `token` is null for a client that takes none. */
async function shownTenures(page: Page) {
  const rows = await table(page)
    .getByRole('row')
    .evaluateAll((all) =>
      all.slice(1).map((row) => ({
        name: row.getAttribute('aria-label') ?? '',
        bands: [...(row.querySelector('td')?.querySelectorAll('li') ?? [])].map((li) => li.textContent ?? ''),
      })),
    )
  return rows
    .flatMap(({ name, bands }) =>
      bands.map((text) => ({
        candidate: name.startsWith('Plain client') ? 'plain' : name.slice(10, 12),
        fromMs: Number(/(?:from|since) ([\d.]+)/.exec(text)?.[1]),
        token: /token (\d+)/.exec(text)?.[1] ?? null,
      })),
    )
    .toSorted((a, b) => a.fromMs - b.fromMs)
}

/**
 * The rest of each story: the tenures in the lanes are those that Cassandra showed, the verdict is what it must be, the link shows the
 * same from the journal alone, and the run has left nothing but that.
 * @param explained the laws that were broken on purpose, in the verdict's words
 */
async function endsWell({ page, running, witness }: Played, explained: RegExp[] = []): Promise<void> {
  await storyEnds(page)
  await endRun(page)
  await asTable(page)
  const tenures = await shownTenures(page)
  expect(tenures.map(({ candidate }) => candidate)).toEqual(witness.tenures.map(({ candidate }) => candidate))
  for (const [i, { token }] of tenures.entries()) {
    if (token === null) continue
    expect(BigInt(token)).toBeLessThanOrEqual(witness.tenures[i]?.lastVersion as bigint)
    expect(BigInt(token)).toBeGreaterThan(witness.tenures[i - 1]?.lastVersion ?? 0n)
  }

  const sentences = await verdict(page).getByRole('listitem').allTextContents()
  expect(sentences).toHaveLength(5)
  const findings = sentences.filter((sentence) => !sentence.startsWith('kept: '))
  expect(findings).toEqual(explained.map((sentence) => expect.stringMatching(sentence)))

  const shown = await table(page).textContent()
  await page.reload()
  await expect(page.getByText('This run has ended.')).toBeVisible()
  await asTable(page)
  // The page says so before it has read the whole journal.
  await expect.poll(() => table(page).textContent()).toBe(shown)
  await expect.poll(() => verdict(page).getByRole('listitem').allTextContents()).toEqual(sentences)

  const { run, name } = witness
  const history = await running.api('GET', `/v1/leases/${encodeSegment(name)}/events`)
  expect([history.body.events, history.body.renewals, history.body.recordedSince]).toEqual([[], [], null])
  expect(await witness.row()).toBeNull()
  expect(await witness.rowsOf('lab_counters', 'run = ?', [run])).toEqual([])
  expect(await witness.rowsOf('election_terms', '"group" = ?', [name])).toEqual([])
  expect(await witness.rowsOf('lock_tickets', 'name = ?', [name])).toEqual([])
  await witness.close()
  await page.context().close()
}

test('clean hand-over: the next leads at once, and no two believe to lead', async ({ browser, running }) => {
  const played = await play('Clean hand-over', browser, running)
  const { page, witness } = played
  const first = await candidateIn(page, anyLeads)
  expect(await witness.holder()).toBe(first)
  const second = await candidateIn(page, anotherLeads(first))
  expect(await witness.holder()).toBe(second)
  await expect(lane(page, new RegExp(`^Candidate ${first}: waits$`))).toHaveCount(1)
  await storyEnds(page)
  await expect(head(page)).toContainText('never')
  await asTable(page)
  await expect(cellsOf(page, first).nth(columns.leads)).toContainText('released')
  await expect(cellsOf(page, first).nth(columns.believes)).toContainText('resigned')
  await page.getByRole('button', { name: 'Show as lanes' }).click()
  await endsWell(played)
})

test('long pause with fencing: two believe to lead, and the fence refuses the older one', async ({
  browser,
  running,
}) => {
  const played = await play('Long pause, with fencing', browser, running)
  const { page, witness } = played
  const first = await candidateIn(page, anyLeads)
  expect(await candidateIn(page, /: paused, leads$/)).toBe(first)
  expect(await witness.holder()).toBe(first)
  expect(await candidateIn(page, /: paused, still believes$/)).toBe(first)
  const second = await candidateIn(page, anotherLeads(first))
  expect(await witness.holder()).toBe(second)
  const counters = page.getByRole('region', { name: 'Both counters' })
  await expect(counters).toContainText(/[1-9]\d* more refused: old token/, {
    timeout: 60_000,
  })
  await expect(counters).toContainText('fenced, right')
  const fenced = await witness.rowsOf('lab_counters', "run = ? AND counter = 'fenced'", [witness.run])
  await expect(head(page)).toContainText(String(fenced[0]?.fence).slice(-9))
  await storyEnds(page)
  await expect(head(page)).toContainText(/Two believe to lead.*for .*, ended/)
  await expect(verdict(page)).toContainText(/[1-9]\d* with an old token (was|were) refused/)
  await endsWell(played, [
    /^broken, and explained: Two believed to lead for .* because the deadline check was off\./,
  ])
})

test('answer lost: the leader asks again and goes on, and the next finds its own id', async ({
  browser,
  running,
}) => {
  const played = await play('Answer lost', browser, running)
  const { page, witness } = played
  const first = await candidateIn(page, anyLeads)
  const said = page.getByRole('region', { name: 'What is said' })
  await said
    .getByRole('radio', { name: first })
    .or(said.getByRole('button', { name: first }))
    .click()
  await expect(
    said
      .getByRole('listitem')
      .filter({ hasText: /applied, lost/ })
      .first(),
  ).toBeVisible({
    timeout: 60_000,
  })
  expect(await witness.holder()).toBe(first)
  await expect(lane(page, leads(first))).toHaveCount(1)
  const second = await candidateIn(page, anotherLeads(first))
  expect(await witness.holder()).toBe(second)
  await endsWell(played)
})

test('a renewal that lands late changes nothing in the next term', async ({ browser, running }) => {
  const played = await play('A renewal that lands late', browser, running)
  const { page, witness } = played
  const first = await candidateIn(page, anyLeads)
  const said = page.getByRole('region', { name: 'What is said' })
  await said.getByRole('button', { name: first }).click()
  await expect(said.getByRole('listitem').filter({ hasText: 'held back' })).toContainText('UPDATE leases', {
    timeout: 60_000,
  })
  const second = await candidateIn(page, anotherLeads(first))
  await storyEnds(page)
  expect(await witness.holder()).toBe(second)
  expect(witness.tenures).toHaveLength(2)
  await asTable(page)
  await expect(cellsOf(page, first).nth(columns.happened)).toContainText('refused')
  await page.getByRole('button', { name: 'Show as lanes' }).click()
  await endsWell(played)
})

test('skewed clock: the old leader believes on, and the verdict names its clock', async ({
  browser,
  running,
}) => {
  const played = await play('Skewed clock', browser, running)
  const { page, witness } = played
  const first = await candidateIn(page, /: network cut, leads$/)
  expect(await candidateIn(page, /: network cut, still believes$/)).toBe(first)
  const second = await candidateIn(page, anotherLeads(first))
  expect(await witness.holder()).toBe(second)
  await expect(head(page)).toContainText(/Two believe to lead.*since/)
  await expect(lane(page, new RegExp(`^Candidate ${first}: waits, lost it at`))).toHaveCount(1, {
    timeout: 60_000,
  })
  await endsWell(played, [
    new RegExp(
      `^broken, and explained: Two believed to lead for .* because the clock of ${first} went back by 20.0 s`,
    ),
  ])
})

test('the herd tries at once; in fair mode leaders come in the order of their tickets', async ({
  browser,
  running,
}) => {
  const played = await play('Thundering herd, then fair mode', browser, running)
  const { page, witness } = played
  await expect(lane(page, /^Candidate c\d:/)).toHaveCount(8)
  const first = await candidateIn(page, anyLeads)
  expect(await witness.holder()).toBe(first)
  const tickets = () => witness.rowsOf('lock_tickets', 'name = ?', [witness.name])
  await expect.poll(async () => (await tickets()).length, { timeout: 90_000 }).toBeGreaterThanOrEqual(3)
  await storyEnds(page)
  await asTable(page)
  const tries = await table(page)
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((row) => row.querySelectorAll('td')[3]?.textContent ?? ''))
  const refused = tries.reduce((sum, text) => sum + Number(/(\d+) not applied/.exec(text)?.[1] ?? 0), 0)
  expect(refused).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: 'Show as lanes' }).click()
  await endsWell(played)
  expect(witness.tenures.length).toBeGreaterThanOrEqual(5)
})

test('ask, break, and kill of a leader that is cut off: only the kill lets two believe', async ({
  browser,
  running,
}) => {
  const played = await play('Ask, break and kill', browser, running)
  const { page, witness } = played
  const first = await candidateIn(page, anyLeads)
  const second = await candidateIn(page, anotherLeads(first))
  expect(await witness.holder()).toBe(second)
  await expect(head(page)).toContainText('Broken: the name is kept free for', { timeout: 60_000 })
  expect(await witness.holder()).toBe('!quarantine')
  // What is broken here is broken on purpose: it is no alarm, and those who look for it find it.
  const quarantined = async (prefix: string) => {
    const { body } = await running.api('GET', `/v1/leases?state=quarantined&prefix=${prefix}`)
    return body.leases.map(({ name }: { name: string }) => name)
  }
  await expect(lane(page, anyLeads)).toHaveCount(0)
  await expect.poll(() => quarantined('lab/'), { intervals: [200] }).toContain(witness.name)
  expect(await quarantined('')).not.toContain(witness.name)
  const third = await candidateIn(page, anyLeads)
  await expect(head(page)).toContainText('never')
  expect(await witness.holder()).toBe(third)
  expect(await candidateIn(page, /: network cut, still believes$/)).toBe(third)
  const fourth = await candidateIn(page, anotherLeads(third))
  expect(await witness.holder()).toBe(fourth)
  await storyEnds(page)
  await asTable(page)
  await expect(cellsOf(page, second).nth(columns.happened)).toContainText('broken')
  await expect(cellsOf(page, third).nth(columns.happened)).toContainText('killed')
  await page.getByRole('button', { name: 'Show as lanes' }).click()
  await endsWell(played, [
    new RegExp(
      `^broken, and explained: Two believed to lead for .* because the lease of ${third} was killed`,
    ),
  ])
})

test('the renewal that forgets value: the owner stays, the value goes, and comes back to stay', async ({
  browser,
  running,
}) => {
  const played = await play('The renewal that forgets value', browser, running)
  const { page, witness } = played
  await expect(lane(page, /^Plain client: leads$/)).toHaveCount(1)
  expect(await witness.holder()).toBe('plain')
  await storyEnds(page)
  const candidate = await candidateIn(page, anyLeads)
  expect(await witness.holder()).toBe(candidate)
  const ofPlain = witness.seen.flatMap((row) => (row?.owner.startsWith('plain:') ? [row.value !== null] : []))
  expect(ofPlain, 'whether the row had a value').toEqual([true, false, true])
  await endsWell(played)
})
