/** For tests alone: a random workload on some leases, and whether what the stream said of them was true. */
import { performance } from 'node:perf_hooks'
import { plainClient } from '../../../leasehold/test/plain-client.ts'
import { type TestConsole, testConsole } from '../../test/test-console.ts'
import { type SomeEvent, TestStream } from '../test-stream.ts'

interface Interval {
  sentMs: number
  answeredMs: number
}

/** One owner's tenure, as far as its own statements show. */
interface Tenure {
  name: string
  owner: string
  ttlSeconds: number
  /** The acquisition and the renewals, in their order. */
  writes: Interval[]
  released?: Interval & { isSure: boolean }
  /** Whether it was answered that the lease is acquired. A lost answer leaves that open. */
  isSure: boolean
}

interface Verdict {
  /** Rows that were said to be confirmed. */
  rows: number
  gone: number
  /** Those whose acquisition was answered. */
  tenures: number
  /** What was not true, in words. */
  wrong: string[]
}

const names = Array.from({ length: 30 }, (_, i) => `truth/${i}`)
const workers = 8
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A slow machine has done little in the given time: it goes on until there is something to judge, up to so many times as long. */
const longer = 4
export const enough = { rows: 100, gone: 5, tenures: 20 }

/** Works for so long, and judges what a stream of all these leases said meanwhile. */
export async function judged(keyspace: string, seconds: number): Promise<Verdict> {
  const console = await testConsole(keyspace)
  try {
    return await judgedOn(console, seconds)
  } finally {
    console.context.close()
    await console.context.session.close()
  }
}

async function judgedOn(console: TestConsole, seconds: number): Promise<Verdict> {
  const longestReadMs = watchReads(console)
  const cookie = { cookie: console.cookie }
  const stream = await TestStream.open(console.context, { prefix: 'truth/', limit: '50' }, cookie)
  const tenures: Tenure[] = []
  const beganMs = Date.now()
  const isOver = () => {
    const times = (Date.now() - beganMs) / (seconds * 1_000)
    return times >= longer || (times >= 1 && isEnough(judge(stream.events, tenures, 0)))
  }
  await Promise.all(Array.from({ length: workers }, (_, i) => work(console, tenures, `w${i}`, isOver)))
  await pause(1_000)
  await stream.close()
  return judge(stream.events, tenures, longestReadMs() + 50)
}

const isEnough = ({ rows, gone, tenures }: Verdict) =>
  rows > enough.rows && gone > enough.gone && tenures > enough.tenures

/** How long a statement took at most: a read says when it was answered, and was sent before. */
function watchReads({ context }: TestConsole): () => number {
  let longestMs = 0
  const { leases } = context.tables.get('leases') ?? {}
  if (leases === undefined) throw new Error('no table')
  const read = leases.read.bind(leases)
  leases.read = async (name) => {
    const sentMs = performance.now()
    try {
      return await read(name)
    } finally {
      longestMs = Math.max(longestMs, performance.now() - sentMs)
    }
  }
  return () => longestMs
}

async function timed<T>(statement: () => Promise<T>): Promise<{ at: Interval; result: T | undefined }> {
  const sentMs = Date.now()
  const result = await statement().catch(() => undefined)
  return { at: { sentMs, answeredMs: Date.now() }, result }
}

/** Acquires, renews, releases, or lets a lease expire, by the API or by plain CQL. */
async function work({ context, api }: TestConsole, tenures: Tenure[], id: string, isOver: () => boolean) {
  const plain = plainClient(context.session, {
    table: 'leases',
    name: 'name',
    owner: 'owner',
    value: 'value',
  })
  for (let count = 0; !isOver(); count++) {
    const name = names[Math.floor(Math.random() * names.length)] as string
    const path = `/v1/locks/${encodeURIComponent(name)}`
    const [owner, ttlSeconds, byApi] = [
      `${id}-${count}`,
      2 + Math.floor(Math.random() * 4),
      Math.random() < 0.5,
    ]
    // A try whose answer is lost may have acquired the lease: it counts as a tenure that may be.
    const acquired = await timed(async () =>
      byApi
        ? acquiredBy((await api('PUT', path, { owner, ttlSeconds, value: 'v' })).status)
        : plain.insertIfNotExists(name, owner, 'v', ttlSeconds),
    )
    if (acquired.result === false) continue
    const isSure = acquired.result === true
    const tenure: Tenure = { name, owner, ttlSeconds, writes: [acquired.at], isSure }
    tenures.push(tenure)
    for (;;) {
      await pause(Math.random() * ttlSeconds * 600)
      const chance = Math.random()
      if (chance < 0.25 || isOver()) break
      if (chance < 0.55) {
        const renewed = await timed(() =>
          api('PUT', path, { owner, ttlSeconds, value: 'v', renewOnly: true }),
        )
        tenure.writes.push(renewed.at)
        if (renewed.result?.status !== 200) break
      } else {
        const released = await timed(async () =>
          byApi
            ? (await api('DELETE', `${path}?owner=${owner}`)).status === 204
            : plain.deleteIfOwner(name, owner),
        )
        tenure.released = { ...released.at, isSure: released.result === true }
        break
      }
    }
  }
}

/** undefined: that is not known. */
const acquiredBy = (status: number): boolean | undefined =>
  status === 201 ? true : status === 409 ? false : undefined

/** The row may have been the owner's from here to there. */
function mayHold({ writes, ttlSeconds, released }: Tenure): [number, number] {
  const [first, last] = [writes[0] as Interval, writes.at(-1) as Interval]
  const expiresMs = last.answeredMs + ttlSeconds * 1_000 + 1_000
  return [first.sentMs, released?.isSure === true ? Math.min(expiresMs, released.answeredMs) : expiresMs]
}

/** The row was surely the owner's from here to there, by its acquisition alone. */
function surelyHolds({ writes, ttlSeconds, released }: Tenure): [number, number] {
  const first = writes[0] as Interval
  const expiresMs = first.sentMs + (ttlSeconds - 1) * 1_000
  return [first.answeredMs, Math.min(expiresMs, released?.sentMs ?? expiresMs)]
}

function judge(events: readonly SomeEvent[], tenures: readonly Tenure[], readMs: number): Verdict {
  const sure = tenures.filter(({ isSure }) => isSure)
  const verdict: Verdict = { rows: 0, gone: 0, tenures: sure.length, wrong: [] }
  const versions = new Map<string, bigint>()
  for (const { event, data } of events) {
    if (event !== 'snapshot' && event !== 'changes') continue
    for (const { name, owner, version, read } of data.rows) {
      const newest = versions.get(name) ?? 0n
      if (version !== null && BigInt(version) < newest)
        verdict.wrong.push(`${name} went back from version ${newest} to ${version}`)
      if (version !== null) versions.set(name, BigInt(version))
      if (read.level !== 'SERIAL' || owner === null) continue
      verdict.rows++
      const atMs = Date.parse(read.at)
      const isTrue = tenures.some((tenure) => {
        const [fromMs, toMs] = mayHold(tenure)
        return tenure.name === name && tenure.owner === owner && fromMs <= atMs && toMs >= atMs - readMs
      })
      if (!isTrue) verdict.wrong.push(`${name} was not ${owner}'s at ${read.at}`)
    }
    for (const { name, at } of event === 'changes' ? data.gone : []) {
      verdict.gone++
      const atMs = Date.parse(at)
      const holder = sure.find((tenure) => {
        const [fromMs, toMs] = surelyHolds(tenure)
        return tenure.name === name && fromMs <= atMs - readMs && toMs >= atMs
      })
      if (holder !== undefined) verdict.wrong.push(`${name} was ${holder.owner}'s at ${at}, and not free`)
    }
  }
  return verdict
}
