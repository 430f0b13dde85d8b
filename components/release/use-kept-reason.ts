'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { keys } from '../../lib/client/call/queries.ts'

/** How long a reason is kept after its dialog was closed. */
const keptMs = 30 * 60_000

/** The reason that was typed for a lease. Closing the dialog does not throw it away; an act that was sent does. */
export function useKeptReason(name: string, table: string | undefined) {
  const client = useQueryClient()
  const key = keys.reason(name, table)
  const [reason, setReason] = useState(() => client.getQueryData<string>(key) ?? '')
  const keep = (text: string) => {
    setReason(text)
    client.setQueryDefaults(key, { gcTime: keptMs })
    client.setQueryData(key, text)
  }
  const forget = useCallback(() => {
    client.removeQueries({ queryKey: keys.reason(name, table) })
  }, [client, name, table])
  return { reason, keep, forget }
}
