export { type BakeryContractCase, type BakeryContractHarness, bakeryContract } from './bakery-contract.ts'
export type { ContractHarness, PlainClient } from './contract-case.ts'
export { FakeClock } from './fake-clock.ts'
export { FaultProxy } from './fault-proxy.ts'
export type {
  Arrival,
  Falsehood,
  History,
  Numbers,
  Operation,
  Report,
  Sighting,
  TermBegun,
} from './laws/history.ts'
export { falsehoods, ghosts, type Surroundings } from './laws/laws.ts'
export { MemoryBakeryRegisters } from './memory/memory-bakery-registers.ts'
export { MemoryEventStore } from './memory/memory-event-store.ts'
export { MemoryResignRequests } from './memory/memory-resign-requests.ts'
export { MemorySequenceStore } from './memory/memory-sequence-store.ts'
export {
  type Delay,
  type Fault,
  MemoryLeaseStore,
  type StatementKind,
} from './memory/memory-store.ts'
export { MemoryTermStore } from './memory/memory-term-store.ts'
export { MemoryTicketStore, type TicketFault } from './memory/memory-ticket-store.ts'
export { type ResignContractCase, resignContract } from './resign-contract.ts'
export {
  type PassingStatement,
  type StatementFault,
  StatementProxy,
  type StatementProxyOptions,
} from './statement-proxy.ts'
export { type StoreCapabilities, storeContract } from './store-contract.ts'
export { type TermContractCase, termContract } from './term-contract.ts'
export { type TicketContractCase, type TicketHarness, ticketContract } from './ticket-contract.ts'
export { timerOver } from './timer-over.ts'
