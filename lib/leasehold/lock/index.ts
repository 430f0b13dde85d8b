export { type Locked, type LockOptions, Locks, type LocksOptions } from './locks.ts'
export { beforeTicket, type Ticket, type TicketStore } from './tickets.ts'
