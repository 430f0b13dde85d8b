import { expect, it } from 'vitest'
import type { Session } from './people/session.ts'
import { type Permission, refusalOf } from './permission.ts'
import { type Route, routes } from './routes.ts'

/** The compiler checks these two: `tsc` fails when an expected error is none. */
it('a route without a permission does not compile', () => {
  const rest = { method: 'GET', path: '/v1/x', summary: 'x', responses: { 200: null }, problems: [] } as const
  // @ts-expect-error the column is missing
  const without: Route = rest
  // @ts-expect-error who programs are is missing
  const half: Route = { ...rest, permission: { people: 'viewer' } }
  // @ts-expect-error a token is asked for its names, so it has to be said which parameter they are in
  const unscoped: Route = { ...rest, permission: { people: 'viewer', programs: 'client' } }
  const whole: Route = { ...rest, permission: { people: 'viewer', programs: 'never' } }
  expect([without, half, unscoped, whole]).toHaveLength(4)
})

it('a route with a scope has the parameter that it names', () => {
  for (const { path, permission, ...route } of Object.values(routes) as Route[]) {
    if (!('scopedBy' in permission)) continue
    const { scopedBy } = permission
    if (scopedBy === 'all') continue
    if (scopedBy !== 'prefix') expect(path).toContain(`{${scopedBy}}`)
    else expect(route.query?.safeParse({ prefix: 'x' }).success).toBe(true)
  }
})

const person = (role: 'viewer' | 'operator' | 'admin', elevatedUntil: string | null = null): Session => ({
  username: role,
  role,
  via: 'password',
  scope: null,
  elevatedUntil,
  expiresAt: null,
})
const program = (role: 'viewer' | 'client', prefixes: string[], tables = ['leases']): Session => ({
  ...person('viewer'),
  role: 'client',
  via: 'token',
  scope: { role, prefixes, tables },
})
const nowMs = Date.parse('2026-01-01T00:00:00.000Z')
const elevated: Permission = { people: 'admin', programs: 'never', elevated: true }
const scoped: Permission = { people: 'operator', programs: 'client', scopedBy: 'name' }

it('an elevation counts until its last millisecond', () => {
  expect(refusalOf(elevated, person('admin'), { nowMs })).toBe('elevation')
  expect(refusalOf(elevated, person('admin', '2026-01-01T00:00:00.001Z'), { nowMs })).toBeNull()
  expect(refusalOf(elevated, person('admin', '2026-01-01T00:00:00.000Z'), { nowMs })).toBe('elevation')
  expect(refusalOf(elevated, person('operator', '2026-01-01T01:00:00.000Z'), { nowMs })).toBe('role')
})

it('a token is for names that begin with one of its prefixes', () => {
  const token = program('client', ['billing/', 'orders'])
  for (const name of ['billing/', 'billing/x', 'orders', 'orders-2'])
    expect(refusalOf(scoped, token, { name, nowMs })).toBeNull()
  for (const name of ['billing', 'Billing/x', 'x/billing/', ''])
    expect(refusalOf(scoped, token, { name, nowMs })).toBe('scope')
  expect(refusalOf(scoped, program('client', ['']), { name: '', nowMs })).toBeNull()
  expect(refusalOf(scoped, program('client', []), { name: 'x', nowMs })).toBe('scope')
  expect(refusalOf(scoped, program('viewer', ['']), { name: 'x', nowMs })).toBe('token-role')
  expect(refusalOf(elevated, program('client', ['']), { nowMs })).toBe('programs')
})

it('what tells of all names needs a token of all names and all tables', () => {
  const { permission } = routes.getMetrics
  const ask = (session: Session) => refusalOf(permission, session, { name: '', nowMs })
  expect(ask(program('viewer', [''], ['*']))).toBeNull()
  expect(ask(program('client', ['billing/', ''], ['cron', '*']))).toBeNull()
  expect(ask(program('client', ['billing/'], ['*']))).toBe('scope')
  expect(ask(program('viewer', [''], ['cron']))).toBe('table')
  expect(ask(program('viewer', [''], ['leases']))).toBe('table')
  expect(ask(person('viewer'))).toBeNull()
})

it('a token is for its tables alone', () => {
  const token = program('client', [''], ['cron', 'jobs'])
  const ask = (table: string | undefined, session = token) =>
    refusalOf(scoped, session, { name: 'x', table, nowMs })
  expect([ask('cron'), ask('jobs')]).toEqual([null, null])
  expect([ask('leases'), ask(undefined), ask('*')]).toEqual(['table', 'table', 'table'])
  const every = program('client', [''], ['*'])
  expect([ask('cron', every), ask(undefined, every)]).toEqual([null, null])
})
