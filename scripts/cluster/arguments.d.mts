export const FAULTS: readonly string[]
