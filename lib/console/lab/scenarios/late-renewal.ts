import type { Entry } from '../../../contract/lab/journal.ts'
import { Leaders, type Scenario, seen } from '../story/stage.ts'

export const lateRenewal: Scenario = {
  candidates: 2,
  ttlSeconds: 10,
  fair: false,
  steps: (stage) => {
    const leaders = new Leaders()
    let heldBack = -1
    const isRenewal = ({ by, purpose }: Entry<'sent'>) => by === leaders.now && purpose === 'renew'
    return [
      { until: leaders.leads },
      {
        act: () => stage.fault(leaders.now, 'hold-next', true),
        until: seen('sent', (sent) => {
          if (isRenewal(sent)) heldBack = sent.statement
          return heldBack !== -1
        }),
      },
      { until: seen('sent', (sent) => isRenewal(sent) && sent.statement !== heldBack) },
      { until: seen('renewed', ({ candidate }) => candidate === leaders.now) },
      { act: () => stage.resign(leaders.now), until: leaders.leads },
      {
        act: () => stage.fault(leaders.before, 'hold-next', false),
        until: seen('let-go', ({ statement }) => statement === heldBack),
      },
      { until: seen('answered', ({ statement }) => statement === heldBack) },
    ]
  },
}
