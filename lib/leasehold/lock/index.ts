export { type LockedWork, Locks } from './locks.ts'
export { maxKeepSeconds, type OnceOptions, type OnceOutcome } from './once.ts'
