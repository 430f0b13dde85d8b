export {
  type CanaryOptions,
  type CanaryOutcome,
  type CanaryPart,
  canary,
  canaryPrefix,
} from './canary/canary.ts'
export { judgeCanary } from './checks/canary-judgement.ts'
export { type ExaminedTable, type ExamineOptions, examine, examineClocks } from './examine.ts'
export {
  type CheckName,
  checkNames,
  type Finding,
  inOrder,
  type Judgement,
  type Verdict,
  worstOf,
} from './finding.ts'
