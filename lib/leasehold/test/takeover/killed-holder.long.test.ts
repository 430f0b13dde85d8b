import { it } from 'vitest'
import { takesOver } from './killed-holders.ts'

it('takes over 25 times, soon after the true expiry and never before it', { timeout: 600_000 }, () =>
  takesOver(25),
)
