import type { z } from 'zod'
import type { RouteId } from '../endpoints.ts'
import type { routes } from '../routes.ts'

type Bodies = {
  [K in RouteId as (typeof routes)[K] extends { body: z.ZodType } ? K : never]: (typeof routes)[K] extends {
    body: infer B extends z.ZodType
  }
    ? z.input<B>
    : never
}

const password = 'correct horse battery staple'

/**
 * A body for each route that takes one, as the reference shows it: a text that a tool generates from a pattern is no
 * example.
 */
export const bodyExamples: Bodies = {
  signIn: { username: 'ann', password },
  changeOwnPassword: { current: password, password: 'another long password' },
  elevate: { password },
  setUp: { token: 'the part of the printed link after its #', password },
  planRelease: {},
  release: {
    plan: 'Zq3vB1xkT9aP',
    mode: 'break',
    reason: 'INC-4711: the holder hangs',
    confirmName: 'nightly-backup',
  },
  rejectRelease: { reason: 'The holder answers again.' },
  putLock: { ttlSeconds: 60, value: 'host-7' },
  putTicket: { number: '1767225600000000', at: '1767225600000000', ttlSeconds: 6 },
  campaign: { ttlSeconds: 60, value: 'host-7' },
  startLabRun: { scenario: 'crash' },
  actInLab: { act: 'fault', candidate: 'c1', fault: 'paused', on: true },
  createToken: { name: 'billing', role: 'client', prefixes: ['billing/'], tables: ['leases'] },
  createUser: { username: 'ann', password, role: 'operator' },
  changeUser: { role: 'viewer' },
  setPassword: { password },
}

const values: Record<string, string> = {
  name: 'nightly-backup',
  group: 'billing',
  owner: 'host-7/4711',
  username: 'ann',
  id: 'Zq3vB1xkT9aP',
  run: 'g17k3v9a',
}

/** An example of each parameter of a path. */
export const pathExample = (path: string, name: string): string | undefined =>
  path.startsWith('/v1/tokens/') ? '0123456789abcdef' : values[name]
