/** What an act changed: two JSON values beside each other, line by line; objects are paired key by key. */

interface DiffLine {
  /** null: there is no such line on this side. */
  before: string | null
  after: string | null
  changed: boolean
}

/** One value on one side, as a part of what holds it. */
interface Part {
  value: unknown
  /** `"key": ` in an object. */
  label: string
  /** Whether another part follows on this side. */
  follows: boolean
}

type Pair = [Part | null, Part | null]

/** Above this, elements are only compared in their places: the table of all pairs would grow with the square. */
const alignedMax = 600

/** The lines of a JSON value, with its keys in order, so that only what differs differs. */
export function jsonLines(value: unknown): string[] {
  if (value === null || value === undefined) return []
  return JSON.stringify(value, sortedKeys, 2).split('\n')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sortedKeys = (_: string, value: unknown) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    : value

/** Two values of an entry; null: there was nothing on this side. */
export const jsonDiff = (before: unknown, after: unknown): DiffLine[] =>
  compared([whole(before), whole(after)], '')

const whole = (value: unknown): Part | null =>
  value === null || value === undefined ? null : { value, label: '', follows: false }

function compared([left, right]: Pair, indent: string): DiffLine[] {
  if (left === null || right === null) return alone(left, right, indent)
  const [a, b] = [linesOf(left, indent), linesOf(right, indent)]
  if (textOf(left.value) === textOf(right.value))
    return a.map((before, i) => ({ before, after: b[i] ?? null, changed: false }))
  const pairs = pairsIn(left.value, right.value)
  if (pairs === null)
    return [
      { before: a[0] ?? null, after: b[0] ?? null, changed: true },
      ...a.slice(1).map(onlyBefore),
      ...b.slice(1).map(onlyAfter),
    ]
  const [open, close] = Array.isArray(left.value) ? ['[', ']'] : ['{', '}']
  return [
    { before: indent + left.label + open, after: indent + right.label + open, changed: false },
    ...pairs.flatMap((pair) => compared(pair, `${indent}  `)),
    { before: indent + close + comma(left), after: indent + close + comma(right), changed: false },
  ]
}

const onlyBefore = (before: string): DiffLine => ({ before, after: null, changed: true })
const onlyAfter = (after: string): DiffLine => ({ before: null, after, changed: true })

const alone = (left: Part | null, right: Part | null, indent: string): DiffLine[] => [
  ...(left === null ? [] : linesOf(left, indent).map(onlyBefore)),
  ...(right === null ? [] : linesOf(right, indent).map(onlyAfter)),
]

const comma = ({ follows }: Part) => (follows ? ',' : '')
const textOf = (value: unknown) => JSON.stringify(value, sortedKeys)

const linesOf = (part: Part, indent: string): string[] =>
  (part.label + JSON.stringify(part.value, sortedKeys, 2) + comma(part))
    .split('\n')
    .map((line) => indent + line)

/** What stands beside what in two objects or two lists; null: they are neither. */
function pairsIn(left: unknown, right: unknown): Pair[] | null {
  if (Array.isArray(left) && Array.isArray(right)) return elementPairs(left, right)
  return isObject(left) && isObject(right) ? keyPairs(left, right) : null
}

function keyPairs(left: Record<string, unknown>, right: Record<string, unknown>): Pair[] {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()
  const partsOf = (side: Record<string, unknown>) => {
    const last = keys.findLast((key) => Object.hasOwn(side, key))
    return (key: string): Part | null =>
      Object.hasOwn(side, key)
        ? { value: side[key], label: `${JSON.stringify(key)}: `, follows: key !== last }
        : null
  }
  const [ofLeft, ofRight] = [partsOf(left), partsOf(right)]
  return keys.map((key) => [ofLeft(key), ofRight(key)])
}

/** By the longest common subsequence of both; what lies between its elements is paired in place. */
function elementPairs(left: readonly unknown[], right: readonly unknown[]): Pair[] {
  const [a, b] = [left.map(textOf), right.map(textOf)]
  const partOf = (of: readonly unknown[], i: number): Part | null =>
    i < of.length ? { value: of[i], label: '', follows: i < of.length - 1 } : null
  const inPlace = (fromI: number, toI: number, fromJ: number, toJ: number): Pair[] =>
    Array.from({ length: Math.max(toI - fromI, toJ - fromJ) }, (_, n) => [
      fromI + n < toI ? partOf(left, fromI + n) : null,
      fromJ + n < toJ ? partOf(right, fromJ + n) : null,
    ])
  if (a.length > alignedMax || b.length > alignedMax) return inPlace(0, a.length, 0, b.length)
  const common = commonLengths(a, b)
  const pairs: Pair[] = []
  let [i, j, fromI, fromJ] = [0, 0, 0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairs.push(...inPlace(fromI, i, fromJ, j), [partOf(left, i), partOf(right, j)])
      i += 1
      j += 1
      fromI = i
      fromJ = j
    } else if (at(common, i + 1, j) >= at(common, i, j + 1)) i += 1
    else j += 1
  }
  return [...pairs, ...inPlace(fromI, a.length, fromJ, b.length)]
}

const at = (common: number[][], i: number, j: number) => common[i]?.[j] ?? 0

/** By position (i, j): how many elements the rest of both has in common. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      (common[i] as number[])[j] =
        a[i] === b[j] ? at(common, i + 1, j + 1) + 1 : Math.max(at(common, i + 1, j), at(common, i, j + 1))
  return common
}
