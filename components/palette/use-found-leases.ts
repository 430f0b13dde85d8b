'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/client/call/call.ts'
import { viewOf, viewQuery } from '../../lib/client/view/lease-view.ts'

const debounceMs = 120
const mostFound = 8

/** Leases with a text in their name, owner or value, as the server finds them. */
export function useFoundLeases(table: string | undefined, text: string) {
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim()), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching, isError } = useQuery({
    queryKey: ['find', table ?? '', q],
    queryFn: async ({ signal }) => {
      const view = { ...viewOf(() => undefined), table, q, sort: 'name' as const }
      return (await call('listLeases', { query: { ...viewQuery(view), limit: mostFound }, signal })).data
        .leases
    },
    enabled: q !== '',
  })
  const isOther = q !== text.trim()
  return {
    // Enter opens the first of them: never one that was found for an earlier text.
    leases: q === '' || isOther ? [] : (data ?? []),
    isSearching: text.trim() !== '' && (isOther || isFetching),
    isError,
  }
}
