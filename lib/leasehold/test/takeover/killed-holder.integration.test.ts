import { it } from 'vitest'
import { takesOver } from './killed-holders.ts'

it('takes over 5 times, soon after the true expiry and never before it', () => takesOver(5))
