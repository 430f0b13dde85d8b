/** What must be true of sequences and of terms: numbers that are given once, and grow. */
import { type Falsehood, grouped, type History, type Numbers } from './history.ts'

const show = (...evidence: object[]): string =>
  JSON.stringify(evidence, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))

export function lawsOfNumbers({ numbers, nextFree }: History): Falsehood[] {
  return [...grouped(numbers, ({ sequence }) => sequence)].flatMap(([sequence, given]) => {
    const found: Falsehood[] = []
    const ordered = given.toSorted((a, b) => (a.first < b.first ? -1 : 1))
    for (const [i, block] of ordered.entries()) {
      const next = ordered[i + 1]
      if (next !== undefined && next.first <= block.last)
        found.push({ law: 'each number once', evidence: show(block, next) })
      if (block.last >= (nextFree.get(sequence) ?? 0n))
        found.push({ law: 'given numbers are gone from the sequence', evidence: show(block) })
      const greater = ordered
        .slice(i + 1)
        .find((other) => other.returnedMs <= block.calledMs && comparable(other, block))
      if (greater !== undefined) found.push({ law: 'numbers grow', evidence: show(block, greater) })
    }
    return found
  })
}

/** A block is greater than everything that was given before; a single number, than those of its own process. */
const comparable = (before: Numbers, after: Numbers): boolean =>
  after.single ? before.single && before.client === after.client : true

export function lawsOfTerms({ terms }: History): Falsehood[] {
  return [...grouped(terms, ({ group }) => group)].flatMap(([, begun]) => {
    const ordered = begun.toSorted((a, b) => (a.token < b.token ? -1 : 1))
    return ordered.flatMap((term, i) => {
      const next = ordered[i + 1]
      return next !== undefined && next.term <= term.term
        ? [{ law: 'terms grow with their tokens', evidence: show(term, next) }]
        : []
    })
  })
}
