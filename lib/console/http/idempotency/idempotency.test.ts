import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, expect, it } from 'vitest'
import { ActWindow, actAfterPermitMs } from '../act-window.ts'
import type { Reply } from '../handler.ts'
import type { Log } from '../log/log.ts'
import { type AnswerRow, type AnswerStore, Idempotency, type KeptAnswer } from './idempotency.ts'

/** How a claim ends whose answer is lost. */
type Fate = 'applied' | 'not-applied'

/** Conditional writes in memory, whose answers may be lost. */
class LossyAnswers implements AnswerStore {
  readonly rows = new Map<string, AnswerRow>()
  fates: Fate[] = []
  /** Another attempt's claim that arrives just before the next one. */
  rival: AnswerRow | null = null
  /** What happens before the next claim is answered. */
  beforeAnswer = async () => {}

  async claim(id: string, requestHash: string, attempt: string): Promise<AnswerRow> {
    const fate = this.fates.shift()
    if (this.rival !== null) this.rows.set(id, { ...this.rival, requestHash })
    if (fate !== 'not-applied' && !this.rows.has(id))
      this.rows.set(id, { attempt, requestHash, status: null, body: null })
    if (fate !== undefined) throw new StatementUnknownError('No answer came.', 'never')
    const row = { ...this.#row(id) }
    const { beforeAnswer } = this
    this.beforeAnswer = async () => {}
    await beforeAnswer()
    return row
  }
  async read(id: string): Promise<AnswerRow | null> {
    return this.rows.get(id) ?? null
  }
  async keep(id: string, attempt: string, { status, body }: KeptAnswer): Promise<boolean> {
    if (this.rows.get(id)?.attempt !== attempt) return false
    this.rows.set(id, { ...this.#row(id), status, body })
    return true
  }
  async drop(id: string, attempt: string): Promise<boolean> {
    return this.rows.get(id)?.attempt === attempt && this.rows.delete(id)
  }
  #row(id: string): AnswerRow {
    const row = this.rows.get(id)
    if (row === undefined) throw new Error(`no row ${id}`)
    return row
  }
}

let clock: FakeClock
let store: LossyAnswers
let carriedOut: number
let idempotency: Idempotency
let warned: unknown[]

beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 0, 1))
  store = new LossyAnswers()
  carriedOut = 0
  warned = []
  const noted = { warn: (...said: unknown[]) => void warned.push(said.at(-1)) } as unknown as Log
  idempotency = new Idempotency(store, noted)
})

/** @param meanwhile what happens while the request is carried out */
const send = (meanwhile = () => {}) =>
  idempotency.once(
    { key: 'k', sender: 's', request: { take: 1 }, requestId: 'r', window: new ActWindow(clock) },
    async (): Promise<Reply> => {
      carriedOut += 1
      meanwhile()
      return { status: 201, body: { numbers: [carriedOut] } }
    },
    async (kept) => kept,
  )

it('a claim whose answer was lost, and that took effect, is this request’s: it is carried out once', async () => {
  store.fates = ['applied']
  expect(await send()).toMatchObject({ status: 201, body: { numbers: [1] } })
  expect(await send()).toMatchObject({ body: { numbers: [1] }, headers: { 'Idempotency-Replayed': 'true' } })
  expect(carriedOut).toBe(1)
})

it('a claim whose answer was lost, and that cannot be read, carries nothing out', async () => {
  store.fates = ['not-applied']
  await expect(send()).rejects.toThrow(StoreUnavailableError)
  expect(carriedOut).toBe(0)
  expect(await send()).toMatchObject({ body: { numbers: [1] } })
})

it('a claim whose answer was lost while another attempt runs carries nothing out', async () => {
  store.fates = ['not-applied']
  store.rival = { attempt: 'another', requestHash: null, status: null, body: null }
  await expect(send()).rejects.toMatchObject({ code: 'request-in-progress' })
  expect(carriedOut).toBe(0)
})

it.each([
  [99, '{}'],
  [500, '{}'],
  [201, 'no JSON'],
])('a kept answer that another client wrote is not given: %i %s', async (status, body) => {
  store.rival = { attempt: 'another', requestHash: null, status, body }
  await expect(send()).rejects.toMatchObject({ code: 'outcome-unknown' })
  expect(carriedOut).toBe(0)
})

it('a claim that lapsed before its request ended is said in the log', async () => {
  expect(await send(() => store.rows.clear())).toMatchObject({ status: 201 })
  expect(warned).toEqual(['the claim on an Idempotency-Key lapsed before its request ended'])
})

it.each([
  ['stopped', (ms: number) => clock.advance(ms)],
  ['suspended', async (ms: number) => clock.suspend(ms)],
])(
  'a request whose process was %s after its claim is not carried out after another that succeeded',
  async (_how, pass) => {
    store.beforeAnswer = async () => {
      await pass(181_000)
      store.rows.clear()
      expect(await send()).toMatchObject({ status: 201, body: { numbers: [1] } })
    }
    await expect(send()).rejects.toMatchObject({ code: 'too-late' })
    expect(carriedOut).toBe(1)
    expect(await send()).toMatchObject({
      body: { numbers: [1] },
      headers: { 'Idempotency-Replayed': 'true' },
    })
  },
)

it('a request that was too late gives its claim back', async () => {
  store.beforeAnswer = async () => clock.suspend(actAfterPermitMs + 1)
  await expect(send()).rejects.toMatchObject({ code: 'too-late' })
  store.beforeAnswer = async () => clock.suspend(actAfterPermitMs)
  expect(await send()).toMatchObject({ body: { numbers: [1] } })
  expect(warned).toEqual([])
})
