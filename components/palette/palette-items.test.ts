import { expect, it } from 'vitest'
import type { Session } from '../../lib/contract/people/session.ts'
import { sections } from '../settings/settings-head.tsx'
import { matching, paletteItems } from './palette-items.ts'

const items = (role: string, paused: boolean | null = null) =>
  paletteItems({
    session: { username: 'u', role, elevatedUntil: null } as unknown as Session,
    table: undefined,
    views: [{ name: 'Night shift', query: 'state=risk' }],
    paused,
    pause: () => {},
    setTheme: () => {},
    setZone: () => {},
    copyLink: async () => null,
    openOnList: () => {},
    signOut: async () => null,
  })
const ids = (role: string) => items(role).map(({ id }) => id)

it('offers a person what this person may do', () => {
  expect(ids('admin')).toEqual(
    expect.arrayContaining(['new', 'users', 'tokens', 'audit', 'attention', 'lab', 'demo']),
  )
  const viewer = ids('viewer')
  for (const id of ['new', 'users', 'tokens', 'audit']) expect(viewer).not.toContain(id)
  expect(viewer).not.toContain('demo')
  expect(viewer).toEqual(expect.arrayContaining(['attention', 'lab']))
})

it('finds by each word, in any order, by other words for the same too', () => {
  const found = (text: string) => matching(items('admin', false), text).map(({ id }) => id)
  expect(found('dark theme')).toEqual(['dark'])
  expect(found('csv')).toEqual(['export'])
  expect(found('pages attention')).toEqual(['attention'])
  expect(found('no such thing')).toEqual([])
})

it('finds a saved view by its name', () => {
  const found = matching(items('viewer'), 'shift')
  expect(found.map(({ text, to }) => [text, to])).toEqual([['Night shift', '/?state=risk']])
})

it('pauses a list that is live, and the other way round, where there is one', () => {
  const text = (paused: boolean | null) => items('viewer', paused).find(({ id }) => id === 'pause')?.text
  expect([text(false), text(true), text(null)]).toEqual(['Pause the list', 'Go live', undefined])
})

it('finds each section of the settings, by the beginning of its name too', () => {
  const found = (role: string, text: string) => matching(items(role), text).map(({ to }) => to)
  expect(found('operator', 'docto')).toEqual(['/settings/doctor'])
  expect(found('viewer', 'docto')).toEqual([])
  const opened = items('admin').map(({ to }) => to)
  for (const { id } of sections) expect(opened).toContain(`/settings/${id}`)
})
