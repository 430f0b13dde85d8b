import { it } from 'vitest'
import { takesOver } from './killed-holders.ts'

it('takes over within 50 ms of the true expiry, at the median of 5', { timeout: 180_000 }, () => takesOver(5))
