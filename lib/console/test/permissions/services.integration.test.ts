/** Services check permissions too, so that a handler that forgets to, or another caller, is refused. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Session } from '../../../contract/people/session.ts'
import { authorityOf } from '../../audit/authority.ts'
import { ActWindow } from '../../http/act-window.ts'
import { actIn, endRun, startRun } from '../../lab/lab-acts.ts'
import { changeUser, createUser, setPassword } from '../../people/user-acts.ts'
import { acquireOrRenew } from '../../programs/locking.ts'
import { takeNumbers } from '../../programs/numbering.ts'
import { releaseAs } from '../../programs/own-lease.ts'
import { keepTicket, removeTicket } from '../../programs/queueing.ts'
import { createToken, revokeToken } from '../../programs/tokens/token-acts.ts'
import { type TestConsole, testConsole } from '../test-console.ts'
import { emptiedKeyspace } from '../test-keyspace.ts'

let console: TestConsole

beforeAll(async () => {
  console = await testConsole(await emptiedKeyspace())
  await console.context.users.create('vera', 'a long password', 'viewer')
})
afterAll(() => console?.context.session.close())

it('services refuse what the sender may not do', async () => {
  const { context } = console
  const table = context.tables.get('leases')
  if (table === undefined) throw new Error('no table')
  const sender = (session: Partial<Session>) => ({
    session: {
      username: 'vera',
      role: 'viewer',
      via: 'password',
      scope: null,
      elevatedUntil: null,
      expiresAt: null,
      ...session,
    } as Session,
    senderKey: 'walk',
    address: null,
    requestId: 'walk',
    window: new ActWindow(context.clock),
  })
  const viewer = sender({})
  const elsewhere = sender({
    role: 'client',
    via: 'token',
    scope: { role: 'client', prefixes: ['other/'], tables: ['*'] },
  })
  const by = authorityOf(viewer, context.clock)
  const ticket = { name: 'walk/x', number: 1n, owner: 'w' }
  const user = { username: 'new', password: 'a long password', role: 'admin' } as const
  const refused = [
    () => createUser(context, by, user),
    () => changeUser(context, by, 'vera', { role: 'admin' }),
    () => setPassword(context, by, 'admin', 'another password'),
    () => createToken(context, by, { name: 'x', role: 'client', prefixes: [''], tables: ['*'] }),
    () => revokeToken(context, by, '0000000000000000'),
    () => startRun(context, by, {}),
    () => actIn(context, by, '00000000', { act: 'join' }),
    () => endRun(context, by, '00000000'),
    ...[viewer, elsewhere].flatMap((from) => [
      () => acquireOrRenew(context, from, table, 'walk/x', {}),
      () => takeNumbers(context, from.session, 'walk/x', 1),
      () => keepTicket(context, from.session, table, ticket, { ttlSeconds: 1, atMicros: 1n }),
      () => removeTicket(context, from.session, table, ticket, 2n),
      () =>
        releaseAs(context, from, table, { name: 'walk/x', owner: 'o' }, async () => ({
          kind: 'released',
          certain: true,
        })),
    ]),
  ]
  for (const act of refused) await expect(act()).rejects.toMatchObject({ code: 'forbidden' })
  // An admin without an elevation may not make users.
  const admin = authorityOf(sender({ username: 'admin', role: 'admin' }), context.clock)
  await expect(createUser(context, admin, user)).rejects.toMatchObject({ code: 'elevation-needed' })
})
