import type { Telemetry } from '../telemetry/index.ts'
import type { Clock, Timer } from '../time/index.ts'
import type { OutcomeEngine } from './engine/outcome-engine.ts'
import type { LeaseEvents } from './kept/lease-events.ts'
import type { ExpiryMemory } from './reading/expiry-memory.ts'
import type { ResignRequests } from './resign/resign-requests.ts'
import type { LeaseStore } from './store.ts'
import type { TicketStore } from './waiting/queue/ticket-store.ts'

/** What the steps of the protocol share. */
export interface LeaseContext {
  readonly store: LeaseStore
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
  readonly maxClockSkewMs: number
  /** How the owners that are made here begin. */
  readonly ownerPrefix: string
  readonly engine: OutcomeEngine
  readonly resignRequests: ResignRequests | undefined
  readonly tickets: TicketStore | undefined
  readonly expiries: ExpiryMemory
  readonly telemetry: Telemetry
  readonly events: LeaseEvents | undefined
}
