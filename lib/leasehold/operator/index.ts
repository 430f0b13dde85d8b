export type { BreakOutcome, BreakStep } from './break.ts'
export type { BreakAct, ForcedAct, KillAct } from './find-out.ts'
export { type KillOutcome, type KillStep, killSettleMs } from './kill.ts'
export { type AskOptions, Operator, type PlannedHolder } from './operator.ts'
