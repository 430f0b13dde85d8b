'use client'

import { useQuery } from '@tanstack/react-query'
import { clusterQuery } from '../../../lib/client/call/queries.ts'
import type { ClocksApart, ClusterTable } from '../../../lib/contract/leases/cluster.ts'

type DistrustedTable = ClusterTable & { distrust: NonNullable<ClusterTable['distrust']> }

const none: DistrustedTable[] = []

/** The tables that the console writes nothing to, because their canaries failed. */
export function useDistrust(): DistrustedTable[] {
  const { data } = useQuery(clusterQuery)
  if (data === undefined || data.data.tables.every(({ distrust }) => distrust === null)) return none
  return data.data.tables.flatMap((table) =>
    table.distrust === null ? [] : [{ ...table, distrust: table.distrust }],
  )
}

/** That the nodes' clocks are too far apart; null: no such thing was seen. */
export const useClocksApart = (): ClocksApart | null => useQuery(clusterQuery).data?.data.clocksApart ?? null
