export { type LockedWork, Locks } from './locks.ts'
export { maxKeepSeconds, type OnceOptions, type OnceOutcome, tickKey } from './once.ts'
