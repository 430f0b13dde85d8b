// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the field, which says which option is meant
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field takes the keys
'use client'

import { useQueryClient } from '@tanstack/react-query'
import { usePathname, useRouter } from 'next/navigation'
import { useTheme } from 'next-themes'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { keys } from '../../lib/client/call/queries.ts'
import { copyText } from '../../lib/client/copy-text.ts'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { isAddressable, leasePath } from '../../lib/contract/path.ts'
import { attentionPath } from '../attention/attention-link.ts'
import { listPath, releasingPath, tableParam } from '../leases/address/lease-link.ts'
import { useUrlState } from '../leases/address/use-url-state.ts'
import { isAimed, isSamePlace } from '../leases/hold/is-aimed.ts'
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
  // By its id: leases that are found late come above it. null: the first one.
  const [chosenId, choose] = useState<string | null>(null)
  const [during, setDuring] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const client = useQueryClient()
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
    .flatMap((seen, i): PaletteItem[] => {
      const { name, table: of, owner, state } = seen
      return [
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
                seen,
                to: releasingPath(name, of),
              },
            ]
          : []),
      ]
    })
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
      signOut: () =>
        signOut.mutateAsync({ everywhere: false }).then(
          () => null,
          (error) => `Not signed out. ${errorWords(error).title}`,
        ),
    }),
    text,
  )
  const items = [...found, ...search, ...rest]
  const alike = alikeNames(items.flatMap(({ lease }) => lease?.name ?? []))
  const chosen = Math.max(
    0,
    items.findIndex((item) => item.id === chosenId),
  )
  const optionId = (i: number) => `${id}-${i}`

  const run = async ({ to, seen }: PaletteItem) => {
    if (during !== null || (typeof to === 'string' && !mayLeave())) return
    setProblem(null)
    if (typeof to === 'object') {
      setDuring(to.during)
      const why = await to.attempt()
      setDuring(null)
      if (why !== null) return setProblem(why)
    }
    if (seen !== undefined) client.setQueryData(keys.found(seen.name, tableParam(seen.table)), seen)
    onClose()
    if (typeof to === 'string') router.push(to)
    else if (typeof to === 'function') to()
  }
  // Where the mouse was moved to last, and the option that lay there; null: none, or the user has moved the options since.
  const aim = useRef<{ x: number; y: number; row: string | null }>(null)
  const forget = () => {
    if (aim.current !== null) aim.current.row = null
  }
  const onPointerMove = (event: PointerEvent, item: PaletteItem) => {
    const place = { x: event.clientX, y: event.clientY }
    // A browser says that the mouse moved when the options moved under it.
    if (aim.current !== null && isSamePlace(place, aim.current)) return
    aim.current = { ...place, row: item.id }
    choose(item.id)
  }
  const onClick = (event: MouseEvent, item: PaletteItem) => {
    const isMeant = isAimed({
      row: item.id,
      x: event.clientX,
      y: event.clientY,
      aim: aim.current?.row == null ? null : aim.current,
      byFinger: false,
      before: undefined,
      sinceChangeMs: 0,
    })
    if (isMeant) return void run(item)
    forget()
    choose(item.id)
    setProblem('The options moved under the pointer, so nothing was pressed. Press again.')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    forget()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      choose(items[(chosen + step + items.length) % Math.max(1, items.length)]?.id ?? null)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const item = items[chosen]
      if (item !== undefined) void run(item)
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
              choose(null)
              setProblem(null)
            }}
            onKeyDown={onKeyDown}
          />
          <kbd>Esc</kbd>
        </div>
        <div
          ref={options}
          className="found"
          role="listbox"
          id={`${id}-options`}
          aria-label="Found"
          onWheel={forget}
        >
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
                onPointerMove={(event) => onPointerMove(event, item)}
                onClick={(event) => onClick(event, item)}
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
        {problem !== null && (
          <p className="lab text-danger" role="alert">
            {problem}
          </p>
        )}
        <p className="lab" role="status">
          {during !== null
            ? during
            : isSearching
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
