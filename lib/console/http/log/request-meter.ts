import type { Access } from './access-log.ts'

/** Where requests are counted. */
export interface RequestMeter {
  answered(access: Pick<Access, 'route' | 'waits'>, status: number, ms: number): void
  /** A session or a token was looked up. `failed`: Cassandra did not answer. */
  checked(kind: 'session' | 'token', outcome: 'valid' | 'invalid' | 'failed'): void
}
