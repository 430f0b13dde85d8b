import { StatementUnknownError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import type { AuditEvent } from '../../../contract/audit.ts'
import { ActSends, ActWindow, actAfterPermitMs } from '../../http/act-window.ts'
import type { Api } from '../../http/api.ts'
import { Idempotency } from '../../http/idempotency/idempotency.ts'
import { RequestLimits } from '../../http/limits/request-limits.ts'
import { log } from '../../http/log/log.ts'
import { serve } from '../../http/router.ts'
import { ApiTokens } from './api-tokens.ts'
import type { TokenServices } from './token-acts.ts'
import { createToken } from './token-handlers.ts'

/** An admin asks for a token under an Idempotency-Key, and the process is suspended while it claims the key. */
async function askedFor(suspendedMs: number, { key }: { key: 'fresh' | 'none' }) {
  const clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  const written: AuditEvent[] = []
  const made: string[] = []
  const append = async (event: AuditEvent) => void written.push(event)
  const answer = { id: 'x', name: 'n', role: 'client', prefixes: ['x'], tables: ['leases'], token: 'lh_x' }
  const services = {
    apiTokens: {
      draw: () => ({ answer, row: { id: 'x', version: 1 } }),
      keep: async () => void made.push('x'),
    },
    audit: { append, appendUntilWritten: append },
    clock,
  } as unknown as TokenServices
  const elevatedUntil = new Date(clock.now().wallMs + 3_600_000).toISOString()
  const session = {
    username: 'ann',
    role: 'admin',
    via: 'password',
    elevatedUntil,
    expiresAt: null,
    scope: null,
  }
  const answers = {
    claim: async (_id: string, requestHash: string, attempt: string) => {
      clock.suspend(suspendedMs)
      return { attempt, requestHash, status: null, body: null }
    },
    keep: async () => true,
    drop: async () => true,
  }
  const find = async () => {
    if (key === 'none') clock.suspend(suspendedMs)
    return session
  }
  const api = {
    config: { publicUrl: new URL('http://localhost:3000'), trustProxy: false },
    clock,
    log,
    requestLog: log,
    noteRefusal: () => {},
    reads: {},
    repeats: {},
    devices: { known: async () => null },
    requestLimits: new RequestLimits(log),
    sessions: { find },
    idempotency: new Idempotency(answers as never, log),
    handlers: { createToken: (input: never) => createToken(input, services) },
  } as unknown as Api
  const headers = new Headers({
    cookie: 'leasehold-3000=some.session',
    origin: 'http://localhost:3000',
    'content-type': 'application/json',
  })
  if (key === 'fresh') headers.set('idempotency-key', 'k')
  const body = JSON.stringify({ name: 'x', prefixes: ['x'] })
  const request = new Request('http://localhost:3000/v1/tokens', { method: 'POST', headers, body })
  const { status } = await serve(request, api)
  return { status, made, ended: written.at(-1)?.outcome }
}

it.each(['fresh', 'none'] as const)(
  'no token is made for a request that was permitted too long ago (key: %s)',
  async (key) => {
    expect(await askedFor(actAfterPermitMs + 1, { key })).toMatchObject({ status: 503, made: [] })
    expect(await askedFor(actAfterPermitMs - 1, { key })).toMatchObject({
      status: 201,
      made: ['x'],
      ended: 'ok',
    })
  },
)

it.each(['keep', 'revoke'] as const)('%s: a token is not written again after its window', async (act) => {
  const clock = new FakeClock(Date.UTC(2026, 0, 2, 3))
  let sent = 0
  const execute = async () => {
    sent += 1
    throw new StatementUnknownError('No answer came.', 'never')
  }
  const rows = { next: () => ({ version: 1, seal: 's' }), changed: () => {} }
  const session = { execute }
  const tokens = new ApiTokens({ session, statements: {}, rows, log, clock, timer: clock } as never)
  const window = new ActWindow(clock)
  const { beforeSend } = new ActSends(window)
  clock.suspend(actAfterPermitMs - 100)
  const drawn = tokens.draw({ name: 'x', role: 'client', prefixes: ['x'], tables: [] } as never, 'ann')
  const done = act === 'keep' ? tokens.keep(drawn, beforeSend) : tokens.revoke(drawn.row, beforeSend)
  // The window ends in the pause before the second send.
  await expect(clock.run(done)).rejects.toMatchObject({ code: 'statement-unknown' })
  expect(sent).toBe(1)
})
