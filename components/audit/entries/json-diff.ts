/** What an act changed: two JSON values beside each other, line by line. */

interface DiffLine {
  /** null: there is no such line on this side. */
  before: string | null
  after: string | null
  changed: boolean
}

/** Above this, lines are only compared in their places: the table of all pairs would grow with the square. */
const alignedMax = 600

/** The lines of a JSON value, with its keys in order, so that only what differs differs. */
export function jsonLines(value: unknown): string[] {
  if (value === null || value === undefined) return []
  return JSON.stringify(value, sortedKeys, 2).split('\n')
}

const sortedKeys = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    : value

/** A comma at the end of a line says only that another one follows. */
const same = (a: string, b: string) => a.replace(/,$/, '') === b.replace(/,$/, '')

/** Both values, aligned by their longest common subsequence of lines. */
export function jsonDiff(before: unknown, after: unknown): DiffLine[] {
  const a = jsonLines(before)
  const b = jsonLines(after)
  if (a.length > alignedMax || b.length > alignedMax) return inPlace(a, b)
  const common = commonLengths(a, b)
  const lines: DiffLine[] = []
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    lines.push(...inPlace(removed, added))
    removed = []
    added = []
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && right !== undefined && same(left, right)) {
      flush()
      lines.push({ before: left, after: right, changed: false })
      i += 1
      j += 1
    } else if (right === undefined || (left !== undefined && at(common, i + 1, j) >= at(common, i, j + 1))) {
      removed.push(left as string)
      i += 1
    } else {
      added.push(right)
      j += 1
    }
  }
  flush()
  return lines
}

const at = (common: number[][], i: number, j: number) => common[i]?.[j] ?? 0

/** By position (i, j): how many lines the rest of both has in common. */
function commonLengths(a: string[], b: string[]): number[][] {
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      (common[i] as number[])[j] = same(a[i] as string, b[j] as string)
        ? at(common, i + 1, j + 1) + 1
        : Math.max(at(common, i + 1, j), at(common, i, j + 1))
  return common
}

function inPlace(a: string[], b: string[]): DiffLine[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => {
    const [before, after] = [a[i] ?? null, b[i] ?? null]
    return { before, after, changed: before === null || after === null || !same(before, after) }
  })
}
