/** When two or more believed to lead at once. */
import type { LaneId, Overlap } from './lanes.ts'

export interface Belief {
  readonly id: LaneId
  readonly fromMs: number
  /** Not later than the picture’s present. */
  readonly toMs: number
  readonly goesOn: boolean
}

/** Two readings of one clock differ by less. */
export const clockSlackMs = 5

/** Between two edges the believers are the same; neighbours with two or more are one overlap. */
export function overlapsOf(beliefs: readonly Belief[]): Overlap[] {
  const edges = [...new Set(beliefs.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))].toSorted((a, b) => a - b)
  const found: { fromMs: number; toMs: number; goesOn: boolean; candidates: Set<LaneId> }[] = []
  let active: Belief[] = []
  let next = 0
  const coming = beliefs.toSorted((a, b) => a.fromMs - b.fromMs)
  for (const [i, edge] of edges.entries()) {
    const toMs = edges[i + 1] ?? edge
    active = active.filter((belief) => belief.toMs > edge)
    for (let belief = coming[next]; belief !== undefined && belief.fromMs <= edge; belief = coming[++next])
      if (belief.toMs > edge) active.push(belief)
    const ids = new Set(active.map(({ id }) => id))
    if (ids.size < 2) continue
    const goesOn = i === edges.length - 2 && active.filter((belief) => belief.goesOn).length > 1
    const last = found.at(-1)
    if (last !== undefined && last.toMs === edge) {
      last.toMs = toMs
      last.goesOn = goesOn
      for (const id of ids) last.candidates.add(id)
    } else found.push({ fromMs: edge, toMs, goesOn, candidates: ids })
  }
  return found
    .filter(({ fromMs, toMs, goesOn }) => goesOn || toMs - fromMs > clockSlackMs)
    .map(({ fromMs, toMs, goesOn, candidates }) => ({
      fromMs,
      toMs: goesOn ? null : toMs,
      candidates: [...candidates].toSorted(),
    }))
}
