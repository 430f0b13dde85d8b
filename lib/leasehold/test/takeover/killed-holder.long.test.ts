import { it } from 'vitest'
import { takesOver } from './killed-holders.ts'

it('takes over within 50 ms of the true expiry, at the median of 25', { timeout: 600_000 }, () =>
  takesOver(25),
)
