'use client'

import Link from 'next/link'
import type { ComponentProps } from 'react'
import { live } from '../../lib/client/live.ts'

/** Whether another page can be had: a page comes from Leasehold's server, and without it there is only an error. */
export function isServerThere(): boolean {
  const connection = live.connection()
  return connection.kind !== 'lost' || connection.cause === 'cassandra'
}

/**
 * A link to another page of the console. While the server is silent it stays where it is, so that what is shown, stale
 * as it is, does not give way to the browser's own error page.
 */
export function PageLink(props: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      {...props}
      onNavigate={(event) => {
        if (!isServerThere()) event.preventDefault()
      }}
    />
  )
}
