export { beforeTicket, type Ticket, type TicketStore } from '../lease/waiting/ticket-store.ts'
export { type Locked, type LockOptions, Locks, type LocksOptions } from './locks.ts'
