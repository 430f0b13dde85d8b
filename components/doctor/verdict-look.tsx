import type { Verdict } from '../../lib/contract/leases/doctor.ts'
import { Icon, type IconName } from '../ui/control/icon.tsx'

interface Look {
  word: string
  icon: IconName
  /** The hue, as the audit log's outcomes have it. */
  tone: 'good' | 'doubt' | 'bad' | 'intent'
}

/** Icon and word always, colour never alone. What is unknown has the dashed ring of what is being verified. */
export const verdictLooks: Record<Verdict, Look> = {
  ok: { word: 'ok', icon: 'check', tone: 'good' },
  warn: { word: 'warning', icon: 'risk', tone: 'doubt' },
  fail: { word: 'failed', icon: 'zombie', tone: 'bad' },
  unknown: { word: 'unknown', icon: 'verifying', tone: 'intent' },
}

export function VerdictText({ verdict }: { verdict: Verdict }) {
  const { word, icon } = verdictLooks[verdict]
  return (
    <span className="state">
      <Icon name={icon} />
      <span>{word}</span>
    </span>
  )
}
