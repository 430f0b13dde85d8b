import { it } from 'vitest'
import { reportsTheTruthUnder } from './random-faults.ts'

it('reports the truth, or that it is unknown, under 200 faults', () => reportsTheTruthUnder(200))
