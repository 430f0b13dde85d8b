'use client'

import Link from 'next/link'
import { type ComponentProps, useSyncExternalStore } from 'react'
import { notOpened } from '../../lib/client/call/not-opened.ts'
import { live } from '../../lib/client/row/live.ts'

/** Whether another page can be had: a page comes from Leasehold's server, and without it there is only an error. */
function isServerThere(): boolean {
  const connection = live.connection()
  return connection.kind !== 'lost' || connection.cause === 'cassandra'
}

/** Whether the page may be left now. If not, the alarm says why nothing happened. */
export function mayLeave(): boolean {
  if (isServerThere()) return true
  notOpened.add()
  return false
}

const why = 'Locked: Leasehold’s server does not answer, and the page comes from there'

/**
 * A link to another page of the console. While the server is silent it stays where it is, so that what is shown, stale
 * as it is, does not give way to the browser's own error page.
 */
export function PageLink(props: ComponentProps<typeof Link>) {
  const isLocked = !useSyncExternalStore(live.subscribe, isServerThere, () => true)
  return (
    <Link
      prefetch={false}
      {...props}
      aria-disabled={isLocked || undefined}
      title={isLocked ? why : props.title}
      onNavigate={(event) => {
        if (!mayLeave()) event.preventDefault()
      }}
    />
  )
}
