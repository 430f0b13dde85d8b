export interface ThreeNodes {
  /** The first node, `host:port`. */
  contactPoint: string
  /** Starts a node again that was killed. @param i 0 to 2 */
  start(i: number): Promise<void>
  kill(i: number): Promise<void>
  /** Ends all of them. */
  stop(): Promise<void>
}

export function startThreeNodes(options: { dataDir: string; heapMb?: number }): Promise<ThreeNodes>
