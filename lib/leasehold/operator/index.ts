export type { BreakOutcome, BreakStep } from './break.ts'
export { type BreakAct, type ForcedAct, isSettled, type KillAct, type SentAt } from './find-out.ts'
export { type KillOutcome, type KillStep, killEffect, killSettleMs } from './kill.ts'
export { type AskOptions, Operator, type PlannedHolder } from './operator.ts'
