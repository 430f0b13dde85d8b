import { it } from 'vitest'
import { takesOver } from './killed-holders.ts'

it('takes over 5 times, soon after the true expiry and never before it', { timeout: 300_000 }, () =>
  takesOver(5),
)
