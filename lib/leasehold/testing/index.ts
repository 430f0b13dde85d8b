export {
  type BakeryContractCase,
  type BakeryContractHarness,
  bakeryContract,
} from './contracts/bakery-contract.ts'
export type { ContractHarness, PlainClient } from './contracts/contract-case.ts'
export { type ResignContractCase, resignContract } from './contracts/resign-contract.ts'
export { type StoreCapabilities, storeContract } from './contracts/store-contract.ts'
export { type TermContractCase, termContract } from './contracts/term-contract.ts'
export { type TicketContractCase, type TicketHarness, ticketContract } from './contracts/ticket-contract.ts'
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
export {
  type PassingStatement,
  type StatementFault,
  StatementProxy,
  type StatementProxyOptions,
} from './statement-proxy.ts'
export { timerOver } from './timer-over.ts'
