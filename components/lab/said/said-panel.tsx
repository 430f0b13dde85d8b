'use client'

import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Said, SaidBuilder } from '../../../lib/client/lab/run/said.ts'
import { momentText } from '../../../lib/client/lab/window/time-window.ts'
import { countText } from '../../../lib/client/time/time-text.ts'
import type { JournalEntry } from '../../../lib/contract/lab/journal.ts'
import { Segments } from '../../ui/text/segments.tsx'
import { purposeWords, readsCounters } from './purpose-words.ts'
import { SaidRow } from './said-row.tsx'

const rowPx = 30
/** Above and below what is in sight. */
const spareRows = 6
const heightPx = 420

interface SaidPanelProps {
  entries: readonly JournalEntry[]
  /** Grows with `entries`, which stays the same object. */
  revision: number
  /** The time that is looked at. null: the present. */
  atMs: number | null
  senders: readonly string[]
}

/** Each statement, newest first. Only those in sight are drawn: a run has thousands. */
export function SaidPanel({ entries, revision, atMs, senders }: SaidPanelProps) {
  const [by, setBy] = useState('all')
  const [scrolledPx, setScrolledPx] = useState(0)
  const [pointed, setPointed] = useState<number | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const builder = useMemo(() => ({ said: new SaidBuilder(), entries }), [entries])
  const rows = useMemo(() => {
    builder.said.read(builder.entries)
    return builder.said.all
      .filter((said) => (by === 'all' || said.by === by) && (atMs === null || said.atMs <= atMs))
      .toReversed()
  }, [builder, revision, by, atMs])
  const box = useKeptPlace(rows.length)

  const first = Math.max(0, Math.floor(scrolledPx / rowPx) - spareRows)
  const inSight = rows.slice(first, first + Math.ceil(heightPx / rowPx) + 2 * spareRows)
  const explained = rows.find(({ statement }) => statement === pointed) ?? null
  const tabStop = inSight.some(({ statement }) => statement === pointed)
    ? pointed
    : (inSight[0]?.statement ?? null)
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[data-statement]') ?? [])]
    items[items.indexOf(document.activeElement as HTMLElement) + by]?.focus()
  }
  const options = [{ value: 'all', text: 'all' }, ...senders.map((id) => ({ value: id, text: id }))]
  return (
    <section className="said" aria-label="What is said">
      <div className="head">
        <h2>What is said</h2>
        <div className="push">
          <Segments label="Sender" options={options} value={by} onChange={setBy} />
        </div>
      </div>
      {rows.length === 0 ? (
        <p className="mut">No statement yet.</p>
      ) : (
        <div
          className="said-box"
          ref={box}
          style={{ maxHeight: heightPx }}
          onScroll={({ currentTarget }) => setScrolledPx(currentTarget.scrollTop)}
        >
          <ol
            className="feed"
            ref={list}
            aria-label={`${countText(rows.length)} statements, newest first`}
            onKeyDown={step}
            style={{ height: rows.length * rowPx, paddingTop: first * rowPx }}
          >
            {inSight.map((said) => (
              <SaidRow
                key={said.statement}
                said={said}
                isTabStop={said.statement === tabStop}
                onPoint={() => setPointed(said.statement)}
              />
            ))}
          </ol>
        </div>
      )}
      <Explanation said={explained} />
    </section>
  )
}

/** Its place stays when nothing is pointed at: what is below must not move. */
function Explanation({ said }: { said: Said | null }) {
  return (
    <div className="said-why mut small">
      {said === null ? (
        'Point at a statement, or go to it with Tab and the arrows: here stands what it is for.'
      ) : (
        <>
          <b>{said.by}</b> at {momentText(said.atMs)} s.{' '}
          {said.purpose.endsWith('counter') && /^select/i.test(said.cql)
            ? readsCounters
            : purposeWords[said.purpose]}
          {said.delivered !== null && said.delivered !== 'answer' && ' The sender did not get the answer.'}
          <code>{said.cql}</code>
          {said.found !== null && <code>→ {said.found}</code>}
        </>
      )}
    </div>
  )
}

/** New rows come in at the top: what the reader has scrolled to stays where it is. */
function useKeptPlace(count: number) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef(count)
  useLayoutEffect(() => {
    const element = box.current
    const grown = count - before.current
    before.current = count
    if (element !== null && grown > 0 && element.scrollTop > rowPx) element.scrollTop += grown * rowPx
  }, [count])
  return box
}
