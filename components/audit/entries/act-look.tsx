import type { AuditAct, AuditEvent } from '../../../lib/contract/audit.ts'
import { type ReleaseMode, releaseParamsSchema } from '../../../lib/contract/releases/release.ts'
import { modeLooks } from '../../release/modes/mode-look.ts'
import { Icon, type IconName } from '../../ui/control/icon.tsx'
import type { Act } from './act-of.ts'

interface ActLook {
  word: string
  icon: IconName
}

/** The acts: word and icon. A noun: the outcome stands beside it. */
export const actLooks = {
  'set-up': { word: 'First set-up', icon: 'server' },
  'sign-in': { word: 'Sign-in', icon: 'arrive' },
  'sign-out': { word: 'Sign-out', icon: 'leave' },
  elevation: { word: 'Elevation', icon: 'shield' },
  refusal: { word: 'Refusal', icon: 'lock' },
  'release-plan': { word: 'Release plan', icon: 'clock' },
  release: { word: 'Release: ask, break or kill', icon: 'audit' },
  acquire: { word: 'Acquisition of a two-person name', icon: 'held' },
  renewal: { word: 'Audited renewal', icon: 'clock' },
  'release-request': { word: 'Request for approval', icon: 'person' },
  approval: { word: 'Approval', icon: 'check' },
  rejection: { word: 'Rejection', icon: 'zombie' },
  'token-create': { word: 'New token', icon: 'key' },
  'token-revoke': { word: 'Token revoked', icon: 'key' },
  'user-create': { word: 'New user', icon: 'person' },
  'user-change': { word: 'User change', icon: 'person' },
  password: { word: 'New password', icon: 'lock' },
  'lab-run': { word: 'Run of the lab', icon: 'server' },
  seal: { word: 'Log segment sealed', icon: 'seal' },
  flood: { word: 'Refusals, only counted', icon: 'risk' },
  restart: { word: 'Log restarted', icon: 'seal' },
} satisfies Record<AuditAct, ActLook>

/** How an act is shown. A forced release has the name of its mode, from its request for approval on. */
export function lookOf(act: Act): ActLook {
  const { act: kind } = act[0].event
  const mode = kind === 'release' || kind === 'release-request' ? modeOf(act) : undefined
  return mode === undefined ? actLooks[kind] : modeLooks[mode]
}

/** As the newest entry says that has it. */
function modeOf(act: Act): ReleaseMode | undefined {
  for (const { event } of act) {
    const { after } = event
    if (typeof after !== 'object' || after === null || !('mode' in after)) continue
    const { mode } = after
    if (mode === 'ask' || mode === 'break' || mode === 'kill') return mode
  }
  return undefined
}

/** Icon and word, always both. */
export function ActWord({ act }: { act: Act }) {
  const { word, icon } = lookOf(act)
  return (
    <>
      <Icon name={icon} />
      <span>{word}</span>
    </>
  )
}

const releaseActs: readonly AuditAct[] = [
  'release-plan',
  'release',
  'release-request',
  'approval',
  'rejection',
]

/** The page of the entry's forced release; null: the entry belongs to none. */
export function releasePagePath({ act, id }: Pick<AuditEvent, 'act' | 'id'>): string | null {
  return releaseActs.includes(act) && releaseParamsSchema.safeParse({ id }).success
    ? `/releases/${encodeURIComponent(id)}`
    : null
}
