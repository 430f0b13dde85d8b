export {
  type Block,
  checkNext,
  maxBlock,
  maxNext,
  Sequence,
  type SequenceAnswer,
  type SequenceOptions,
  type SequenceStore,
} from './sequence.ts'
