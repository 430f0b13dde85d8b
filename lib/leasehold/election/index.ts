export type {
  CampaignOptions,
  CampaignOutcome,
  CandidateOptions,
  LeaderWork,
  LeadOptions,
} from './candidate.ts'
export { Election, type ElectionOptions } from './election.ts'
export {
  type ClaimOutcome,
  type HeartbeatOutcome,
  LeadershipGroup,
  LeadershipToken,
} from './group.ts'
export { Leadership } from './leadership.ts'
export { isLed, type Leader, type Observation } from './observation.ts'
export { type LeaderStatus, LeadershipStatus } from './status.ts'
export {
  StoredTerms,
  type StoredTermsOptions,
  type Term,
  type TermAnswer,
  type TermStore,
  type Terms,
  type TermTenure,
} from './terms.ts'
