import type { CassandraNode } from '../node.mjs'

export function startNode6(options: {
  dataDir: string
  report?: (text: string) => void
}): Promise<CassandraNode>
