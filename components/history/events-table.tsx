'use client'

import { useState } from 'react'
import { countText } from '../../lib/client/time/time-text.ts'
import type { LeaseEvent } from '../../lib/contract/leases/history.ts'
import { Instant } from '../shell/time/instant.tsx'
import { EventDetail, EventWord, sourceText, uncertaintyText } from './event-words.tsx'

/** As many rows as are looked through; all of them are one press away. */
const firstRows = 20

/** The events as a table: for screen readers, and for copying. Newest first. */
export function EventsTable({ events, canOpen }: { events: readonly LeaseEvent[]; canOpen: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? events : events.slice(0, firstRows)
  return (
    <div className="history-events">
      <div className="head">
        <h3>Events</h3>
        {shown.length < events.length && (
          <div className="push">
            <button type="button" className="btn quiet sm" onClick={() => setWhole(true)}>
              Show all {countText(events.length)}
            </button>
          </div>
        )}
      </div>
      {events.length === 0 ? (
        <p className="mut">No event was recorded in this time.</p>
      ) : (
        <table aria-label="Events">
          <thead className="vh">
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Event</th>
              <th scope="col">Owner</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((event) => (
              <tr key={event.id}>
                <td className="mono">
                  <Instant at={event.at} digits={3} />
                </td>
                <td>
                  <EventWord event={event} />
                </td>
                <td>
                  <EventDetail event={event} canOpen={canOpen} />
                </td>
                <td className="dim small">
                  {sourceText(event)}
                  {uncertaintyText(event)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
