/**
 * Crash and takeover, ten times: the new leader's lane begins within 100 ms of the expiry mark (median), and the mark is the second at
 * which Cassandra stops showing the row. A lane begins where Cassandra's answer to the acquisition stands in the journal; the candidate
 * itself believes a little later, when it has read its token and taken its term.
 */
import type { Browser } from '@playwright/test'
import cassandra from 'cassandra-driver'
import { LanesBuilder } from '../../lib/client/lab/lanes/lanes-builder.ts'
import type { JournalEntry } from '../../lib/contract/lab/journal.ts'
import type { LabRunDetail } from '../../lib/contract/lab/run.ts'
import { expect, test } from '../console/console.ts'
import { driver, type RunningConsole } from '../console/running-console.ts'
import { as } from './lab-page.ts'

const runs = 10
const atATime = 2

interface Takeover {
  run: string
  /** From the expiry by Cassandra's own answer to the mark on the lane. */
  markErrorMs: number
  /** From the mark to the beginning of the new leader's lane, and from there to its own word. */
  laneAfterMarkMs: number
  believesAfterLaneMs: number
  /** The statements of the new leader in between: “read 4 ms”. */
  said: string
}

/** What a candidate asked Cassandra in this time, with how long each answer took. */
function saidBetween(entries: readonly JournalEntry[], by: string, fromMs: number, toMs: number): string {
  const sent = new Map<number, string>()
  const said: string[] = []
  for (const entry of entries) {
    if (entry.atMs < fromMs || entry.atMs > toMs) continue
    if (entry.kind === 'sent' && entry.by === by) sent.set(entry.statement, entry.purpose)
    if (entry.kind === 'answered' && sent.has(entry.statement))
      said.push(`${sent.get(entry.statement)} ${entry.tookMs.toFixed(0)} ms`)
  }
  return said.join(', ')
}

async function takeover(number: number, browser: Browser, running: RunningConsole): Promise<Takeover> {
  const page = await as('operator', `takes-over-${number}`, browser, running)
  const headers = { origin: running.url }
  const started = await page.request.post(`${running.url}/v1/lab/runs`, {
    headers,
    data: { scenario: 'crash' },
  })
  expect(started.status()).toBe(201)
  const { run, name, ttlSeconds } = (await started.json()) as LabRunDetail
  const url = `${running.url}/v1/lab/runs/${run}`
  const client = await driver()

  /** From the epoch to the start of the run, by the quickest of the answers. */
  let zero = { tookMs: Number.POSITIVE_INFINITY, wallMs: Number.NaN }
  const lanes = new LanesBuilder({ ttlSeconds })
  const read = async () => {
    const sentMs = Date.now()
    const detail = (await (await page.request.get(`${url}?from=${lanes.nextSeq}`)).json()) as LabRunDetail
    const tookMs = Date.now() - sentMs
    if (tookMs <= zero.tookMs) zero = { tookMs, wallMs: sentMs + tookMs / 2 - detail.nowMs }
    lanes.add(detail.entries)
    return lanes.entries
  }
  const find = async (kind: 'fault' | 'leads', fits: (candidate: string) => boolean = () => true) => {
    const found = (await read()).findLast((entry) => entry.kind === kind && fits(entry.candidate))
    return found?.kind === kind ? found.candidate : null
  }
  const until = async (kind: 'fault' | 'leads', fits?: (candidate: string) => boolean) => {
    await expect.poll(() => find(kind, fits), { timeout: 60_000 }).not.toBeNull()
    return (await find(kind, fits)) as string
  }

  const first = await until('fault')
  const cql = `SELECT ttl(owner) AS ttl, toUnixTimestamp(now()) AS now FROM ${running.keyspace}.leases WHERE name = ?`
  const expiries: number[] = []
  for (let i = 0; i < 3; i++) {
    const options = { prepare: true, consistency: cassandra.types.consistencies.serial }
    const [row] = (await client.execute(cql, [name], options)).rows
    // A read over the edge of a second is one second high.
    expiries.push((Math.floor(Number(row?.now) / 1000) + Number(row?.ttl)) * 1000)
  }
  const second = await until('leads', (candidate) => candidate !== first)
  await page.request.delete(url, { headers })
  await read()
  await client.shutdown()
  await page.context().close()

  const picture = lanes.live(lanes.lastMs)
  const bandOf = (id: string) => picture.lanes.find((lane) => lane.id === id)?.leads[0]
  const [before, after] = [bandOf(first), bandOf(second)]
  expect(before?.end).toBe('expired')
  const markMs = before?.toMs as number
  const laneMs = after?.fromMs as number
  const believesMs = picture.lanes.find(({ id }) => id === second)?.believes[0]?.fromMs as number
  return {
    run,
    markErrorMs: markMs - (Math.min(...expiries) - zero.wallMs),
    laneAfterMarkMs: laneMs - markMs,
    believesAfterLaneMs: believesMs - laneMs,
    said: saidBetween(lanes.entries, second, laneMs, believesMs),
  }
}

const median = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

test('the new leader’s lane begins at the expiry mark, and the mark is the true expiry', async ({
  browser,
  running,
}) => {
  test.setTimeout(600_000)
  const found: Takeover[] = []
  for (let number = 0; number < runs; number += atATime) {
    const together = Array.from({ length: Math.min(atATime, runs - number) }, (_, i) => number + i)
    found.push(...(await Promise.all(together.map((each) => takeover(each, browser, running)))))
  }
  for (const { run, markErrorMs, laneAfterMarkMs, believesAfterLaneMs, said } of found)
    console.log(
      `${run}: mark ${markErrorMs.toFixed(1)} ms from the expiry, lane ${laneAfterMarkMs.toFixed(1)} ms after the mark, believes ${believesAfterLaneMs.toFixed(1)} ms after that (${said})`,
    )
  const of = (key: Exclude<keyof Takeover, 'run' | 'said'>) => median(found.map((each) => each[key]))
  console.log(
    `medians: mark ${of('markErrorMs').toFixed(1)} ms, lane ${of('laneAfterMarkMs').toFixed(1)} ms, believes ${of('believesAfterLaneMs').toFixed(1)} ms`,
  )
  expect(of('laneAfterMarkMs')).toBeLessThan(100)
  for (const { markErrorMs } of found) expect(Math.abs(markErrorMs)).toBeLessThan(60)
})
