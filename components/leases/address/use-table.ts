'use client'

import { useQuery } from '@tanstack/react-query'
import { clusterQuery } from '../../../lib/client/call/queries.ts'
import type { ClusterTable } from '../../../lib/contract/leases/cluster.ts'
import { useOfList, usePageList } from '../../shell/use-page-list.ts'

interface TableFacts {
  /** undefined: not known yet, or there is no such table. */
  facts: ClusterTable | undefined
  tables: readonly ClusterTable[]
  /** Why nothing may be written to it; null: it may, as far as is known. */
  lock: string | null
  /** Cassandra answers no read of it, or refuses each. Known of the table that the page shows. */
  isUnanswered: boolean
}

/** The table that a page is about, as the server has it configured. */
export function useTable(table: string | undefined): TableFacts {
  const { data } = useQuery(clusterQuery)
  const unanswered = useOfList(usePageList(), (shown) => shown.unanswered)
  const tables = data?.data.tables ?? []
  const facts = tables.find(({ id }) => id === (table ?? 'leases'))
  const isUnanswered = unanswered !== null && (unanswered.table ?? 'leases') === (table ?? 'leases')
  if (data && !facts) return { facts, tables, lock: 'there is no such table', isUnanswered }
  const unread = unanswered?.isRefused
    ? 'Cassandra refuses to read this table'
    : 'Cassandra answers no read of this table'
  const lock = isUnanswered ? unread : lockOf(facts)
  return { facts, tables, lock, isUnanswered }
}

function lockOf(facts: ClusterTable | undefined): string | null {
  if (facts?.readOnly) return 'this table is read-only here'
  return facts?.distrust ? 'the canary of this table failed' : null
}
