'use client'

import { Failed } from '../components/door/failed.tsx'

/** A page that failed. What is shown elsewhere stays; nothing was done by it. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Failed
      title="This page failed."
      detail="The console has a fault. Leases are not affected."
      error={error}
      retry={retry}
    />
  )
}
