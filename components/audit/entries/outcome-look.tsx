import type { AuditAct, AuditEvent, Unverified } from '../../../lib/contract/audit.ts'
import { type ProblemCode, problemCodes, problemStatus } from '../../../lib/contract/problem-codes.ts'
import { Icon, type IconName } from '../../ui/control/icon.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import type { Act } from './act-of.ts'

/** Their hues stand under the same names in app/styles/shell/log.css. */
type OutcomeTone = 'plain' | 'good' | 'bad' | 'doubt' | 'hold' | 'intent' | 'unwritten'

interface OutcomeLook {
  word: string
  icon: IconName
  tone: OutcomeTone
  /** What the word means, where it does not say that by itself. */
  meaning?: string | undefined
}

const plain = (word: string, icon: IconName = 'check'): OutcomeLook => ({ word, icon, tone: 'plain' })
const bad = (word: string): OutcomeLook => ({ word, icon: 'zombie', tone: 'bad' })
const doubt = (word: string): OutcomeLook => ({ word, icon: 'risk', tone: 'doubt' })

/** Outcomes as words, icon and hue. The usual one is quiet; the log may have other outcomes than these. */
export const outcomeLooks: Record<string, OutcomeLook> = {
  ok: plain('done'),
  planned: plain('planned', 'clock'),
  asked: plain('asked'),
  renewed: plain('renewed'),
  'not-done': {
    ...plain('not done', 'gone'),
    meaning: 'Nothing was changed: the act was refused, or Cassandra did not take it.',
  },
  'too-late': {
    ...plain('not done: too late', 'gone'),
    meaning: 'Too much time passed between the permission and the act. Nothing was sent.',
  },
  approved: plain('approved'),
  'awaiting-approval': plain('awaits approval', 'clock'),
  released: { word: 'killed', icon: 'check', tone: 'good' },
  broken: { word: 'broken', icon: 'quarantined', tone: 'hold' },
  refused: bad('refused'),
  failed: bad('failed'),
  rejected: bad('rejected'),
  'holder-changed': bad('holder changed'),
  'not-released': {
    ...bad('not released'),
    meaning: 'The act was sent and did not release the planned holder, who still held the lease.',
  },
  'not-sent': {
    ...bad('not sent'),
    meaning:
      'Cassandra did not answer before the act, too much time had passed, or the server ended. Nothing was sent, and nothing was released.',
  },
  lapsed: {
    ...plain('lapsed', 'gone'),
    meaning: 'No second person approved the request in time. Nothing was sent.',
  },
  superseded: {
    ...doubt('superseded'),
    meaning:
      'Whether the act took effect was not certain. The planned holder lost the lease by this act, by releasing it, or by expiry; which one is unknown.',
  },
  unknown: doubt('unknown'),
  pending: { word: 'not known yet', icon: 'verifying', tone: 'plain' },
}

/** The `ok` of a single entry, where another word says more than "done". */
const okLooks: Partial<Record<AuditAct, OutcomeLook>> = {
  'release-plan': plain('planned', 'clock'),
  'release-request': plain('awaits approval', 'clock'),
  approval: plain('approved'),
  rejection: bad('rejected'),
}

const intent: OutcomeLook = { word: 'intent', icon: 'clock', tone: 'intent' }
const unwritten: OutcomeLook = { word: 'not written yet', icon: 'stale', tone: 'unwritten' }

/** In the place of the outcome, which such an entry does not prove. */
const unverifiedLooks: Record<Unverified, OutcomeLook> = {
  altered: { word: 'altered', icon: 'risk', tone: 'bad' },
  'other-key': { word: 'not checked', icon: 'risk', tone: 'doubt' },
}

/**
 * The outcome of an act, from its newest entry. Of two outcomes the first one written counts: a process that Cassandra lost may
 * write its own after the recovery did. One altered entry puts the whole act in doubt.
 */
export function outcomeOf(act: Act): OutcomeLook {
  const { event, entry } = act.findLast((part) => part.event.phase === 'outcome') ?? act[0]
  const altered = act.some((part) => part.entry?.unverified === 'altered')
  return outcomeLook(event, entry !== null, altered ? 'altered' : entry?.unverified)
}

/** How an event came out; `written`: it stands in the log. `unverified`: it is not known to be what a console wrote. */
export function outcomeLook(
  event: Pick<AuditEvent, 'phase' | 'outcome'> & Partial<Pick<AuditEvent, 'act'>>,
  written: boolean,
  unverified?: Unverified | undefined,
): OutcomeLook {
  if (!written) return unwritten
  if (unverified !== undefined) return unverifiedLooks[unverified]
  if (event.outcome === null) return event.phase === 'intent' ? intent : plain('–', 'gone')
  const { outcome, act } = event
  const ok = outcome === 'ok' && act !== undefined ? okLooks[act] : undefined
  if (ok !== undefined) return ok
  // A refusal's outcome is the code of its problem.
  const refused = problemCodes.some((code) => code === outcome)
  return outcomeLooks[outcome] ?? (refused ? bad(codeWord(outcome)) : plain(outcome, 'info'))
}

export const codeWord = (code: string): string => code.replaceAll('-', ' ')

/** The codes of refusals. */
export const refusalCodes: readonly ProblemCode[] = problemCodes.filter((code) =>
  [401, 403, 429].includes(problemStatus[code]),
)

/** Icon and word, always both. */
export function OutcomeWord({ look: { word, icon, meaning } }: { look: OutcomeLook }) {
  return (
    <>
      <Icon name={icon} />
      <span title={meaning}>
        <SeenText text={word} />
      </span>
    </>
  )
}
