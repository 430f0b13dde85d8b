export interface ThreeNodes {
  /** The first node, `host:port`. */
  contactPoint: string
  hosts: readonly string[]
  /** Of every node, for clients. */
  port: number
  /** Starts a node again that was killed or has ended. @param i 0 to 2 @param other `java`: another program than before */
  start(i: number, other?: { java?: string }): Promise<void>
  kill(i: number): Promise<void>
  /** Asks a node to end, and waits for it. */
  end(i: number): Promise<void>
  /** SIGSTOP, and SIGCONT. */
  freeze(i: number): void
  thaw(i: number): void
  /** Ends all of them. */
  stop(): Promise<void>
}

export function startThreeNodes(options: {
  dataDir: string
  heapMb?: number
  jarsDir?: string
  pom?: string | undefined
  paxosVariant?: 'v1' | 'v2'
  java?: string
  javaOptions?: string[]
  log?: (line: string) => void
  signal?: AbortSignal
}): Promise<ThreeNodes>
