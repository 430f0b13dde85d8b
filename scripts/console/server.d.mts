import type { Exit } from '../cassandra/node.mjs'

export interface Server {
  /** `http://host:port`, reachable from this machine */
  url: string
  port: number
  pid: number
  /** SIGTERM; by force after 10 s. */
  stop(): Promise<void>
  kill(): Promise<void>
  exited: Promise<Exit>
}

export interface StartServerOptions {
  /** The repository. */
  root: string
  host: string
  port: number
  /** On top of this process's own. */
  env?: Record<string, string | undefined>
  /** Default: `.next`. */
  distDir?: string
  /** Node's arguments; default: `next start` of the finished build. */
  entry?: string[] | undefined
  nodeEnv?: 'production' | 'development'
  /** Keep the files with secrets for as long as the server runs. */
  keepSecrets?: boolean
  dataDir?: string
  logFile?: string
  /** Of each of the log's two files. */
  logLimitBytes?: number
  onLine?: (line: string, stream: 'stdout' | 'stderr') => void
  readyWithinMs?: number
  signal?: AbortSignal
}

export function startServer(options: StartServerOptions): Promise<Server>
export function urlHost(host: string): string
