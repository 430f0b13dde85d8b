import { InvalidArgumentError } from 'commander'

const unitMs = { '': 1_000, ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30` and `30s` (seconds), `500ms`, `2m`, `1h`, `7d`, in milliseconds. */
export function durationMs(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|)$/.exec(text.trim()) ?? []
  if (count === undefined)
    throw new InvalidArgumentError('A duration is expected, such as 30, 500ms, 2m, 1h or 7d.')
  return Math.round(Number(count) * unitMs[unit as keyof typeof unitMs])
}

/** As `durationMs`, in whole seconds. */
export function durationSeconds(text: string): number {
  const ms = durationMs(text)
  if (ms % 1_000 !== 0) throw new InvalidArgumentError('Whole seconds are expected, such as 30 or 2m.')
  return ms / 1_000
}

/** A whole number from `least` to `most`. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`A whole number from ${least} to ${most} is expected.`)
    return number
  }
