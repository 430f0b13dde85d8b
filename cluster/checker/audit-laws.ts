/** No audit, no act: each forced release that may have taken effect has its entries. */
import type { Falsehood } from '../../lib/leasehold/testing/laws/history.ts'
import { grouped } from '../../lib/leasehold/testing/laws/history.ts'
import type { ClusterHistory, ForcedRelease } from '../history/cluster-history.ts'

/** Outcomes after which the act was sent. The others are refusals, or no answer. */
const acted = new Set(['pending', 'broken', 'released', 'not-released', 'superseded', 'unknown'])
/** Outcomes that a console has answered, and so written down. */
const final = new Set(['broken', 'released', 'superseded', 'not-released'])

export function lawsOfAudit({ releases, audit, sightings }: ClusterHistory): Falsehood[] {
  const byId = grouped(
    audit.filter(({ act }) => act === 'release'),
    ({ id }) => id,
  )
  const marks = new Set(sightings.flatMap(({ owner }) => (owner?.startsWith('!') ? [owner] : [])))
  return releases.flatMap((release) => {
    const entries = (release.id === null ? undefined : byId.get(release.id)) ?? []
    const found: Falsehood[] = []
    const say = (law: string, of: ForcedRelease) =>
      found.push({ law, evidence: JSON.stringify({ release: of, entries }) })
    const intent = entries.some(({ phase, name }) => phase === 'intent' && name === release.name)
    const isOwed = acted.has(release.outcome) || marks.has(`!quarantine:${release.id}`)
    if (!intent && isOwed) say('no act without its intent in the audit', release)
    const outcome = entries.find(({ phase }) => phase === 'outcome')?.outcome
    if (final.has(release.outcome) && outcome !== release.outcome)
      say('the audit has the outcome that was answered', release)
    return found
  })
}
