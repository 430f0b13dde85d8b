import type { LabScenario } from '../../../contract/lab/lab-bounds.ts'
import type { Scenario } from '../story/stage.ts'
import { answerLost } from './answer-lost.ts'
import { bakery } from './bakery.ts'
import { crash } from './crash.ts'
import { forcedRelease } from './forced-release.ts'
import { forgottenValue } from './forgotten-value.ts'
import { handOver } from './hand-over.ts'
import { herd } from './herd.ts'
import { lateRenewal } from './late-renewal.ts'
import { pauseFenced, pauseUnfenced } from './pause.ts'
import { skewedClock } from './skewed-clock.ts'

export const scenarios: Record<LabScenario, Scenario> = {
  'hand-over': handOver,
  crash,
  'pause-unfenced': pauseUnfenced,
  'pause-fenced': pauseFenced,
  'answer-lost': answerLost,
  'late-renewal': lateRenewal,
  'skewed-clock': skewedClock,
  herd,
  'forced-release': forcedRelease,
  'forgotten-value': forgottenValue,
  bakery,
}
