import { it } from 'vitest'
import { reportsTheTruthUnder } from './random-faults.ts'

it('reports the truth, or that it is unknown, under 1,000 faults', { timeout: 480_000 }, () =>
  reportsTheTruthUnder(1_000),
)
