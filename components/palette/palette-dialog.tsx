// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the field, which says which option is meant
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field takes the keys
'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useTheme } from 'next-themes'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { copyText } from '../../lib/client/copy-text.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { isAddressable, leasePath } from '../../lib/contract/path.ts'
import { attentionPath } from '../attention/attention-link.ts'
import { listPath, releasingPath } from '../leases/address/lease-link.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { useSavedViews } from '../leases/views/use-saved-views.ts'
import { mayLeave } from '../shell/page-link.tsx'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'
import { useSignOut } from '../shell/session/use-sign-out.ts'
import { setZone } from '../shell/time/zone.tsx'
import { useOfList, usePageList } from '../shell/use-page-list.ts'
import { Dialog, DialogName } from '../ui/control/dialog.tsx'
import { Icon } from '../ui/control/icon.tsx'
import { alikeNames, RowName } from '../ui/text/row-name.tsx'
import { type ListDialog, matching, type PaletteItem, paletteItems } from './palette-items.ts'
import { useFoundLeases } from './use-found-leases.ts'

/** Whether a page opens this dialog over what it shows. */
const hasDialog = (pathname: string, dialog: ListDialog): boolean =>
  pathname === '/' || (dialog === 'help' && pathname === attentionPath())

interface PaletteDialogProps {
  table: string | undefined
  /** What was typed before the field had the focus, once. */
  takeTyped: () => string
  onClose: () => void
}

/** One field for all that can be opened or done. */
export function PaletteDialog({ table, takeTyped, onClose }: PaletteDialogProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const router = useRouter()
  const session = useSession()
  const { setTheme } = useTheme()
  const signOut = useSignOut()
  const pathname = usePathname()
  const { change } = useUrlState()
  const views = useSavedViews()
  const list = usePageList()
  const paused = useOfList(list, (shown) => shown.paused !== null)
  const { leases, isSearching, isError } = useFoundLeases(table, text)

  const mayRelease = may(session, endpoints.planRelease)
  const found: PaletteItem[] = leases
    .filter(({ name }) => isAddressable(name))
    .flatMap(({ name, table: of, owner, state }, i): PaletteItem[] => [
      {
        id: `lease ${of} ${name}`,
        group: 'Leases',
        icon: state,
        text: name,
        lease: { name },
        note: owner ?? '',
        to: leasePath(name, of),
      },
      // Of the first one alone: more of them would hide what else was found.
      ...(i === 0 && mayRelease && state !== 'quarantined' && owner !== null
        ? [
            {
              id: `release ${of} ${name}`,
              group: 'Leases' as const,
              icon: 'lock' as const,
              text: `Release ${name}…`,
              lease: { name, act: 'Release' },
              to: releasingPath(name, of),
            },
          ]
        : []),
    ])
  const q = text.trim()
  const search: PaletteItem[] =
    q === ''
      ? []
      : [
          {
            id: 'search',
            group: 'Leases',
            icon: 'search',
            text: `Show all leases with “${q}”`,
            to: `/?${new URLSearchParams(table === undefined ? { q } : { table, q })}`,
          },
        ]
  const rest = matching(
    paletteItems({
      session,
      table,
      views,
      paused,
      openOnList: (dialog) => {
        if (hasDialog(pathname, dialog)) change({ [dialog]: '1' })
        else if (mayLeave()) router.push(`${listPath(table)}${table === undefined ? '?' : '&'}${dialog}=1`)
      },
      pause: (on) => list?.pause(on),
      setTheme,
      setZone,
      copyLink: () => copyText(location.href),
      signOut: () => signOut.mutate({ everywhere: false }),
    }),
    text,
  )
  const items = [...found, ...search, ...rest]
  const alike = alikeNames(items.flatMap(({ lease }) => lease?.name ?? []))
  const chosen = Math.min(at, items.length - 1)
  const optionId = (i: number) => `${id}-${i}`

  const run = ({ to }: PaletteItem) => {
    if (typeof to === 'string' && !mayLeave()) return
    onClose()
    if (typeof to === 'string') router.push(to)
    else to()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((chosen + step + items.length) % Math.max(1, items.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const item = items[chosen]
      if (item !== undefined) run(item)
    }
  }
  const options = useRef<HTMLDivElement>(null)
  useEffect(() => {
    options.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  return (
    <Dialog open onClose={onClose} narrow initialFocus={field}>
      <div className="palette">
        <DialogName>Find or do</DialogName>
        <div className="ask">
          <Icon name="search" />
          <input
            ref={field}
            type="text"
            role="combobox"
            aria-label="Find a lease, a page or an action"
            aria-expanded="true"
            aria-controls={`${id}-options`}
            aria-activedescendant={items.length === 0 ? undefined : optionId(chosen)}
            aria-autocomplete="list"
            placeholder="A lease, a page or an action"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={512}
            onFocus={() => setText(text + takeTyped())}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          <kbd>Esc</kbd>
        </div>
        <div ref={options} className="found" role="listbox" id={`${id}-options`} aria-label="Found">
          {items.map((item, i) => (
            <div key={item.id} role="presentation">
              {item.group !== items[i - 1]?.group && (
                <div className="lab" aria-hidden="true">
                  {item.group}
                </div>
              )}
              <div
                role="option"
                id={optionId(i)}
                aria-selected={i === chosen}
                // In pieces, a name would be read with spaces between them.
                aria-label={item.lease && `${item.text} ${item.note ?? ''}`.trimEnd()}
                onPointerMove={() => i !== chosen && setAt(i)}
                onClick={() => run(item)}
              >
                <Icon name={item.icon} />
                {item.lease ? (
                  <>
                    {item.lease.act}
                    <span className="nm cut">
                      <RowName name={item.lease.name} isWhole={alike.has(item.lease.name)} />
                    </span>
                  </>
                ) : (
                  <span className="cut">{item.text}</span>
                )}
                {item.note && <span className="push mono cut">{item.note}</span>}
              </div>
            </div>
          ))}
        </div>
        <p className="lab" role="status">
          {isSearching
            ? 'Searching the leases…'
            : isError
              ? 'The leases could not be searched.'
              : q !== '' && leases.length === 0
                ? 'No lease has this in its name, owner or value.'
                : ''}
        </p>
      </div>
    </Dialog>
  )
}
