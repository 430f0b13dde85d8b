/** How a node ended; `reason` is a sentence. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  reason: string
}

export interface Credentials {
  username: string
  password: string
}

export interface CassandraNode {
  host: string
  port: number
  /** `host:port` */
  contactPoint: string
  pid: number
  /** What each is for: roles-file.mjs. */
  roles: Record<'admin' | 'schema' | 'writer' | 'reader' | 'program', Credentials>
  /** Drains and ends; by force after 20 s. Resolves when the process is gone and its ports are free. */
  stop(): Promise<void>
  /** SIGKILL: a crash. Resolves as `stop` does. */
  kill(): Promise<void>
  exited: Promise<Exit>
}

export interface StartNodeOptions {
  dataDir: string
  /** For clients; the next free one from there. Without it, any free one. */
  preferredPort?: number
  /** Refuses another one. */
  onlyThatPort?: boolean
  log?: (line: string) => void
  /** Default: `$LEASEHOLD_JARS`, else `<dataDir>/jars`. */
  jarsDir?: string
  java?: string
  heapMb?: number
  /** More arguments of Java. */
  javaOptions?: string[]
  /** The pom that the jars were fetched by; left out: that of the embedded node. */
  pom?: string
  /** Settings besides ours, as YAML. */
  moreYaml?: string
  /** One of several nodes, for tests: its loopback address, the ports that all of them have, and the address of the first. */
  member?: { host: string; port: number; storagePort: number; seed: string }
  /** How late its idle threads may wake: scripts/process/timer-slack.mjs. */
  timerSlackMicros?: number
  signal?: AbortSignal
}

export function startNode(options: StartNodeOptions): Promise<CassandraNode>

/** `javaOptions` of a node that runs for a minute. */
export const SHORT_LIVED: string[]
