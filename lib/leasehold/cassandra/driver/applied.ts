import { StoreRefusedError } from '../../lease/index.ts'

/**
 * Whether a conditional write was applied. It reads `[applied]` itself: the driver's `wasApplied()` is true for an empty result.
 * @throws StoreRefusedError when the answer does not say so: it is no *not applied*
 */
export function isApplied(row: Record<string, unknown> | undefined): boolean {
  const applied = row?.['[applied]']
  if (typeof applied !== 'boolean')
    throw new StoreRefusedError('A conditional write was answered without [applied].')
  return applied
}
