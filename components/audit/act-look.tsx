import type { AuditAct, AuditEvent } from '../../lib/contract/audit.ts'
import { releaseParamsSchema } from '../../lib/contract/releases/release.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

interface ActLook {
  word: string
  icon: IconName
}

/** The acts: word and icon. A noun, because an entry may tell of the intent, of the outcome, or of a refusal. */
export const actLooks = {
  'set-up': { word: 'first set-up', icon: 'server' },
  'sign-in': { word: 'sign-in', icon: 'arrive' },
  'sign-out': { word: 'sign-out', icon: 'leave' },
  elevation: { word: 'elevation', icon: 'shield' },
  refusal: { word: 'refusal', icon: 'lock' },
  'release-plan': { word: 'release plan', icon: 'clock' },
  release: { word: 'forced release', icon: 'kill' },
  acquire: { word: 'acquisition by hand', icon: 'held' },
  renewal: { word: 'renewal, not by the holder alone', icon: 'clock' },
  'release-request': { word: 'request for approval', icon: 'person' },
  approval: { word: 'approval', icon: 'check' },
  rejection: { word: 'rejection', icon: 'zombie' },
  'token-create': { word: 'new token', icon: 'key' },
  'token-revoke': { word: 'token revoked', icon: 'key' },
  'user-create': { word: 'new user', icon: 'person' },
  'user-change': { word: 'user change', icon: 'person' },
  password: { word: 'new password', icon: 'lock' },
  seal: { word: 'seal of a bucket', icon: 'seal' },
  flood: { word: 'flood of refusals', icon: 'risk' },
  restart: { word: 'log restarted', icon: 'seal' },
} satisfies Record<AuditAct, ActLook>

/** Icon and word, always both. */
export function ActWord({ act }: { act: AuditAct }) {
  const { word, icon } = actLooks[act]
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

/** The page of the forced release that an entry is a part of; null: it is of none. */
export function releasePagePath({ act, id }: Pick<AuditEvent, 'act' | 'id'>): string | null {
  return releaseActs.includes(act) && releaseParamsSchema.safeParse({ id }).success
    ? `/releases/${encodeURIComponent(id)}`
    : null
}
