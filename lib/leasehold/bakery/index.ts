export { Bakery, type BakeryLockOptions, type BakeryOptions, type Served } from './bakery.ts'
export type { BakeryTurn } from './place.ts'
export { type BakeryRegisters, goesBefore, type Numbered, type Register } from './registers.ts'
