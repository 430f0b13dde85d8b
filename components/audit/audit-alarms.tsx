import type { AuditAlarm } from '../../lib/contract/audit.ts'
import { Instant } from '../shell/instant.tsx'
import { Say } from '../ui/say.tsx'

/** The log was changed past the console. While this stands, each act is refused. */
export function AuditAlarms({ alarms }: { alarms: readonly AuditAlarm[] }) {
  return alarms.map(({ chain, kind, bucket, seq, since, detail }) => (
    <Say
      key={`${chain}:${kind}`}
      tone="danger"
      icon="risk"
      role="alert"
      title={`The audit log was changed past the console: ${detail}.`}
    >
      Found <Instant at={since} zoned /> at entry {seq} of{' '}
      <span className="mono">{`${chain} ${bucket}`}</span>.{' '}
      {chain === 'main' &&
        'Releases, sign-ins and changes of people are refused until the log is begun anew. '}
      On the server, <span className="mono">npm run audit -- verify</span> says what is gone, and{' '}
      <span className="mono">npm run audit -- restart</span> begins the log anew: docs/operations.md, “When
      the log was changed”.
    </Say>
  ))
}
