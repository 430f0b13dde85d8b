export { type Locked, Locks } from './locks.ts'
