'use client'

import { Failed } from '../components/door/failed.tsx'

/** A page that failed. The frame around it stays; the failure did nothing to any lease. */
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
