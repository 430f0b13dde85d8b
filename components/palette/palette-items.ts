/** What the palette finds besides leases. */

import { pathOfView, type SavedView } from '../../lib/client/view/saved-views.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import type { Lease } from '../../lib/contract/leases/lease.ts'
import type { Session } from '../../lib/contract/people/session.ts'
import { attentionPath } from '../attention/attention-link.ts'
import { listPath } from '../leases/address/lease-link.ts'
import { may } from '../shell/session/may.ts'
import type { IconName } from '../ui/control/icon.tsx'

/** What may fail: the palette stays open until that is known. */
interface Attempt {
  /** Why it was not done; null: it was. */
  attempt: () => Promise<string | null>
  /** What is said meanwhile. */
  during: string
}

export interface PaletteItem {
  id: string
  group: 'Leases' | 'Pages' | 'Actions' | 'Settings'
  icon: IconName
  text: string
  /** The lease that it is about, and what is done to it: they are drawn instead of the text. */
  lease?: { name: string; act?: string }
  /** The lease as it is shown here: where its release is planned, another holder is said first. */
  seen?: Lease
  /** What it is also found by. */
  words?: string
  note?: string
  /** Where it leads; or what it does. */
  to: string | (() => void) | Attempt
}

/** By its parameter in the URL. */
export type ListDialog = 'new' | 'export' | 'views' | 'help'

interface Doing {
  session: Session
  table: string | undefined
  /** The views that this browser keeps. */
  views: readonly SavedView[]
  /** The list of the page, if it has one. */
  paused: boolean | null
  pause: (on: boolean) => void
  setTheme: (theme: string) => void
  setZone: (zone: 'utc' | 'local') => void
  /** Why it was not copied; null: it was. */
  copyLink: () => Promise<string | null>
  /** Opens a dialog of the list, over the view that is shown where there is one. */
  openOnList: (dialog: ListDialog) => void
  /** Why it failed; null: it did not. */
  signOut: () => Promise<string | null>
}

/** All that this person may open or do from here. */
export function paletteItems(doing: Doing): PaletteItem[] {
  const { session, table, views, paused } = doing
  const list = listPath(table)
  const items: (PaletteItem | false)[] = [
    { id: 'list', group: 'Pages', icon: 'list', text: 'Leases', to: list },
    {
      id: 'attention',
      group: 'Pages',
      icon: 'risk',
      text: 'Needs attention',
      words: 'trouble zombie risk partial eternal quarantined',
      note: 'a',
      to: attentionPath(table),
    },
    {
      id: 'lab',
      group: 'Pages',
      icon: 'lab',
      text: 'Election lab',
      words: 'demo runs scenarios leader',
      to: '/lab',
    },
    may(session, endpoints.listAudit) && {
      id: 'audit',
      group: 'Pages',
      icon: 'audit',
      text: 'Audit log',
      to: '/audit',
    },
    ...views.map(
      (view): PaletteItem => ({
        id: `view ${view.name}`,
        group: 'Pages',
        icon: 'eye',
        text: view.name,
        words: 'saved view',
        to: pathOfView(view),
      }),
    ),
    { id: 'docs', group: 'Pages', icon: 'code', text: 'API reference', words: 'docs openapi', to: '/docs' },
    may(session, endpoints.putLock) && {
      id: 'new',
      group: 'Actions',
      icon: 'plus',
      text: 'New lease…',
      words: 'acquire lock',
      to: () => doing.openOnList('new'),
    },
    may(session, endpoints.startLabRun) && {
      id: 'demo',
      group: 'Actions',
      icon: 'play',
      text: 'Demo election…',
      words: 'lab crash takeover',
      to: '/lab?start=crash',
    },
    paused !== null && {
      id: 'pause',
      group: 'Actions',
      icon: paused ? 'play' : 'pause',
      text: paused ? 'Go live' : 'Pause the list',
      words: 'resume freeze',
      note: 'p',
      to: () => doing.pause(!paused),
    },
    {
      id: 'export',
      group: 'Actions',
      icon: 'get',
      text: 'Export the list…',
      words: 'csv json copy download',
      to: () => doing.openOnList('export'),
    },
    {
      id: 'views',
      group: 'Actions',
      icon: 'eye',
      text: 'Save the view, or delete one…',
      words: 'name bookmark',
      to: () => doing.openOnList('views'),
    },
    {
      id: 'link',
      group: 'Actions',
      icon: 'copy',
      text: 'Copy the link to this page',
      to: { attempt: doing.copyLink, during: 'Copying…' },
    },
    {
      id: 'keys',
      group: 'Actions',
      icon: 'info',
      text: 'Show the keys',
      words: 'help shortcuts',
      to: () => doing.openOnList('help'),
    },
    {
      id: 'signout',
      group: 'Actions',
      icon: 'leave',
      text: 'Sign out',
      words: 'log out exit',
      to: { attempt: doing.signOut, during: 'Signing out…' },
    },
    {
      id: 'account',
      group: 'Settings',
      icon: 'person',
      text: 'My account',
      words: 'password',
      to: '/settings/account',
    },
    may(session, endpoints.listUsers) && {
      id: 'users',
      group: 'Settings',
      icon: 'person',
      text: 'Users',
      words: 'people roles',
      to: '/settings/users',
    },
    may(session, endpoints.listTokens) && {
      id: 'tokens',
      group: 'Settings',
      icon: 'key',
      text: 'Tokens',
      words: 'programs api',
      to: '/settings/tokens',
    },
    may(session, endpoints.getDoctor) && {
      id: 'doctor',
      group: 'Settings',
      icon: 'nodes',
      text: 'Doctor',
      words: 'cluster nodes clocks canary checks health',
      to: '/settings/doctor',
    },
    { id: 'dark', group: 'Settings', icon: 'gear', text: 'Theme: dark', to: () => doing.setTheme('dark') },
    { id: 'light', group: 'Settings', icon: 'gear', text: 'Theme: light', to: () => doing.setTheme('light') },
    {
      id: 'system',
      group: 'Settings',
      icon: 'gear',
      text: 'Theme: as the system',
      to: () => doing.setTheme('system'),
    },
    { id: 'utc', group: 'Settings', icon: 'clock', text: 'Times in UTC', to: () => doing.setZone('utc') },
    {
      id: 'local',
      group: 'Settings',
      icon: 'clock',
      text: 'Times in the local zone',
      to: () => doing.setZone('local'),
    },
  ]
  return items.filter((item) => item !== false)
}

/** Those that have each word of the text in them. */
export function matching(items: readonly PaletteItem[], text: string): PaletteItem[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  return items.filter((item) => {
    const words = `${item.group} ${item.text} ${item.words ?? ''}`.toLowerCase()
    return wanted.every((word) => words.includes(word))
  })
}
