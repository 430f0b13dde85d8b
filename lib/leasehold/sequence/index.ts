export {
  type Block,
  maxBlock,
  Sequence,
  type SequenceAnswer,
  type SequenceOptions,
  type SequenceStore,
} from './sequence.ts'
