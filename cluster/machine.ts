/** What a run needs of the machine: scripts/cluster implements it with real processes. Nodes and consoles count from 0. */
export interface Machine {
  /** The nodes' own addresses, past all proxies. */
  readonly nodes: readonly { host: string; port: number }[]
  /** The port at which the proxy of each node listens, at the node's address. */
  readonly proxyPort: number
  /** SIGKILL. */
  killNode(node: number): Promise<void>
  /** Asks the node to end, and waits for it. */
  endNode(node: number): Promise<void>
  /** Resolves when the node answers. @param aheadSeconds how far its clock is ahead; 0 unless given */
  startNode(node: number, aheadSeconds?: number): Promise<void>
  /** SIGSTOP, and SIGCONT. */
  stopNode(node: number): void
  continueNode(node: number): void
  /** Resolves when the console is ready. */
  startConsole(instance: number, contactPoints: readonly string[]): Promise<void>
  /** SIGKILL. */
  killConsole(instance: number): Promise<void>
  readonly consoles: readonly { url: string }[]
  readonly keyspace: string
  readonly admin: { username: string; password: string }
}
