/** What a person does in the dialog of a forced release, and holders written with the library to do it to. */
import type { Browser, Locator, Page } from '@playwright/test'
import { CassandraLeaseStore, CassandraResignRequests, connect } from 'leasehold/cassandra'
import { type HoldOptions, Leases } from 'leasehold/lease'
import { encodeSegment } from '../../lib/contract/path.ts'
import { testCredentials } from '../../lib/leasehold/test/node-session.ts'
import { againUntil, busyIn, expect, openSignedIn } from '../console/console.ts'
import { admin, patiently, type RunningConsole, testContactPoint } from '../console/running-console.ts'

export const operators = {
  ann: { username: 'ann', password: 'a password of ann' },
  ben: { username: 'ben', password: 'a password of ben' },
}

/** Makes the two operators, once. */
export async function makeOperators(running: RunningConsole): Promise<void> {
  for (const user of Object.values(operators)) await running.addUser({ ...user, role: 'operator' })
}

/**
 * Plans and acts as admin, by requests, until the outcome is known: after two seconds the answer is 202, and the release goes on.
 * @returns the release's id
 */
export async function forced(
  { api }: RunningConsole,
  name: string,
  mode: 'ask' | 'break' | 'kill',
  reason: string,
): Promise<string> {
  const path = `/v1/leases/${encodeSegment(name)}`
  const outcomes = { ask: 'asked', break: 'broken', kill: 'released' }
  for (let tries = 1; ; tries++) {
    const { body: made } = await api('POST', `${path}/release-plan`, {})
    const sent = { plan: made.plan, mode, reason, confirmName: name }
    const { status, body } = await api('POST', `${path}/release`, sent)
    expect([200, 202], `${name}: ${body?.detail}`).toContain(status)
    const known = expect.stringMatching(new RegExp(`^(${outcomes[mode]}|not-sent)$`))
    let outcome: string | undefined
    const look = async () => {
      outcome = (await api('GET', `/v1/releases/${made.id}`)).body?.outcome
      return outcome
    }
    await expect.poll(look, { message: name, timeout: 60_000 }).toEqual(known)
    // Cassandra did not answer the console's read of the lease within 2.5 s: nothing was done, and it is planned again.
    if (outcome === 'not-sent' && tries < 10) continue
    expect(outcome, name).toBe(outcomes[mode])
    return made.id
  }
}

/** A second person's browser, signed in, at a path. */
export async function browserOf(
  browser: Browser,
  running: RunningConsole,
  user: { username: string; password: string },
  path = '/',
): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await openSignedIn(page, running, path, user)
  return page
}

/** Opens the dialog on a lease's own page. */
export async function openRelease(page: Page, running: RunningConsole, name: string): Promise<Locator> {
  await page.goto(`${running.url}/leases/${encodeSegment(name)}?release=1`)
  const dialog = page.getByRole('dialog').first()
  await expect(dialog.getByRole('radio', { name: 'Ask' })).toBeVisible({ timeout: 60_000 })
  return dialog
}

/** Gives the password in place, where the dialog asks for it; nothing if it is confirmed already. */
export async function elevate(page: Page, dialog: Locator, { password } = admin): Promise<void> {
  const confirmed = dialog.getByText(/Your password is confirmed: valid until/)
  const field = page.getByLabel(/^Password of/)
  // A page that has not read its session yet has the button also where the password is confirmed already: it may go.
  await expect(async () => {
    if (!(await confirmed.or(field).first().isVisible()))
      await dialog.getByRole('button', { name: 'Confirm password…' }).click({ timeout: 5_000 })
    await expect(confirmed.or(field).first()).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 120_000 })
  if ((await field.count()) === 0) return
  await field.fill(password)
  // While Cassandra is too busy to answer it is refused, and may be pressed again: at once, because a plan is good for a minute.
  const refused = page.getByRole('dialog', { name: 'Confirm your password' }).getByRole('alert')
  await expect(async () => {
    const button = page.getByRole('button', { name: 'Confirm password', exact: true })
    if (await button.isVisible()) await button.click({ timeout: 10_000 })
    await expect(confirmed.or(refused).first()).toBeVisible({ timeout: 20_000 })
    await expect(confirmed).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 120_000 })
}

/** After Enter in the field of a password: Enter again only where its dialog says that Cassandra was too busy to answer. */
export const untilAnswered = (page: Page, answer: Locator): Promise<void> =>
  againUntil(
    () => page.keyboard.press('Enter'),
    answer,
    busyIn(page.getByRole('dialog', { name: 'Confirm your password' })),
  )

/** Fills in everything that a mode asks for, up to the button. */
export async function fillIn(
  page: Page,
  dialog: Locator,
  mode: 'Ask' | 'Break' | 'Kill',
  { name, reason = 'test', user = admin }: { name: string; reason?: string; user?: { password: string } },
): Promise<void> {
  await dialog.getByRole('radio', { name: mode }).check()
  await dialog.getByLabel('Reason').fill(reason)
  if (mode === 'Ask') return
  await elevate(page, dialog, { ...admin, ...user })
  await dialog.getByLabel('Type the name').fill(name)
}

export interface Holders extends AsyncDisposable {
  leases: Leases
  /** Holds a lease and renews it, as a service does. */
  hold(name: string, options?: HoldOptions): ReturnType<Leases['acquire']>
}

/** Holders of a process beside the console: written with the library, they hear when they are asked to resign. */
export async function holders({ keyspace }: RunningConsole): Promise<Holders> {
  // It reads the cluster's facts first, and gives each read 2.5 s.
  const session = await patiently(() =>
    connect({
      contactPoints: [testContactPoint()],
      localDataCenter: 'datacenter1',
      keyspace,
      ...testCredentials(),
    }),
  )
  const leases = new Leases({
    store: new CassandraLeaseStore(session),
    resignRequests: new CassandraResignRequests(session),
  })
  return {
    leases,
    // Long enough for a busy machine to renew in time, and to see a row gone before its expiry: after that nothing shows that it was
    // released. A request to resign is read at the next renewal, after 15 s at most.
    hold: (name, options) => leases.acquire(name, { ttlSeconds: 40, ...options }),
    [Symbol.asyncDispose]: async () => {
      await leases[Symbol.asyncDispose]()
      await session.close()
    },
  }
}
