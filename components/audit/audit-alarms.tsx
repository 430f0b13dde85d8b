import type { AuditAlarm } from '../../lib/contract/audit.ts'
import { Instant } from '../shell/time/instant.tsx'
import { Say } from '../ui/text/say.tsx'

/** The log was changed past the console. While this stands, each act is refused, unless the alarm says otherwise. */
export function AuditAlarms({ alarms }: { alarms: readonly AuditAlarm[] }) {
  if (alarms.length === 0) return null
  return (
    <div className="mb-4 grid gap-3">
      {alarms.map((alarm) => (
        <Alarm key={`${alarm.chain}:${alarm.kind}`} alarm={alarm} />
      ))}
    </div>
  )
}

function Alarm({ alarm: { chain, kind, bucket, seq, since, detail } }: { alarm: AuditAlarm }) {
  return (
    <Say
      tone="danger"
      icon="risk"
      role="alert"
      title={`The audit log was changed outside the console: ${detail}.`}
    >
      Found <Instant at={since} zoned /> {kind === 'planted' ? 'in' : `at entry ${seq} of`}{' '}
      <span className="mono">{`${chain}:${bucket}`}</span>. <WhatToDo chain={chain} kind={kind} />
    </Say>
  )
}

function WhatToDo({ chain, kind }: Pick<AuditAlarm, 'chain' | 'kind'>) {
  if (kind === 'planted') return <Planted />
  if (kind === 'altered' || kind === 'missing') return <Altered kind={kind} />
  return <Restart chain={chain} />
}

/** The end of the log is whole: what is done now is recorded. */
function Altered({ kind }: { kind: 'altered' | 'missing' }) {
  return (
    <>
      Nothing is refused because of it. Change the Cassandra password of the role that wrote it. On the
      server, <span className="mono">npm run audit -- verify</span> names every {kind} entry, and{' '}
      <span className="mono">npm run audit -- restart</span> ends this alarm: docs/operations.md, “An entry
      that was altered, or is missing”.
    </>
  )
}

/** A partition that is ignored refuses no act. */
function Planted() {
  return (
    <>
      Nothing is refused because of it. Change the Cassandra password of the role that wrote it, and delete
      the partition: docs/operations.md, “A partition that no console has written”.
    </>
  )
}

function Restart({ chain }: Pick<AuditAlarm, 'chain'>) {
  return (
    <>
      {chain === 'main' && 'Releases, sign-ins and changes of users are refused until the log is restarted. '}
      On the server, <span className="mono">npm run audit -- verify</span> names what is missing, and{' '}
      <span className="mono">npm run audit -- restart</span> restarts the log: docs/operations.md, “When the
      log was changed”.
    </>
  )
}
