/** Times as texts. Numbers have units; a time left is rounded down, so that the page never promises too much. */

export type Zone = 'utc' | 'local'

const two = (n: number) => String(n).padStart(2, '0')

/** The time left on a countdown: `00:07.8`; from an hour on `1:02:03`, from a day on `2 d 4 h`. */
export function leftText(leftMs: number): string {
  const tenths = Math.max(0, Math.floor(leftMs / 100))
  const seconds = Math.floor(tenths / 10)
  if (seconds < 3600) return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}.${tenths % 10}`
  if (seconds < 86_400)
    return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return durationText(leftMs)
}

/** From here on down a countdown shows tenths. */
export const tenthsBelowMs = 60_000

/** The same without its tenths: `00:07`, for a row whose present is not known. */
export const pastLeftText = (leftMs: number): string => leftText(leftMs).replace(/\.\d$/, '')

/** A length of time in words: `4.8 s`, `30 s`, `2 min 40 s`, `3 h 18 min`, `2 d 4 h`. */
export function durationText(ms: number): string {
  const positive = Math.max(0, ms)
  const seconds = Math.floor(positive / 1000)
  if (positive < 10_000) {
    const tenths = Math.floor(positive / 100)
    return tenths % 10 === 0 && tenths > 0 ? `${tenths / 10} s` : `${(tenths / 10).toFixed(1)} s`
  }
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  if (seconds < 86_400) return pair(Math.floor(seconds / 3600), 'h', Math.floor(seconds / 60) % 60, 'min')
  return pair(Math.floor(seconds / 86_400), 'd', Math.floor(seconds / 3600) % 24, 'h')
}

const pair = (a: number, unitA: string, b: number, unitB: string) =>
  b === 0 ? `${a} ${unitA}` : `${a} ${unitA} ${b} ${unitB}`

/** As `durationText`, of what may last so long at most: never less than it is. */
export function boundText(ms: number): string {
  const unitMs = ms < 10_000 ? 100 : ms < 3_600_000 ? 1_000 : ms < 86_400_000 ? 60_000 : 3_600_000
  return durationText(Math.ceil(ms / unitMs) * unitMs)
}

/** An age: always with tenths below ten seconds, so that it does not jump about: `0.4 s`, `14 s`. */
export function ageText(ms: number): string {
  return ms < 10_000 ? `${(Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1)} s` : durationText(ms)
}

/** An age in whole seconds: `<1 s`, `4 s`, `2 min 40 s`. */
export const wholeAgeText = (ms: number): string =>
  ms < 1000 ? '<1 s' : ms < 10_000 ? `${Math.floor(ms / 1000)} s` : durationText(ms)

/** How long a query took: `3.1 ms`, `410 ms`, `1.40 s`. */
export const tookText = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`

/** A clock time, without its zone: `03:14:07`, with tenths `03:14:06.8`, with milliseconds `03:14:06.812`. */
export function clockText(epochMs: number, zone: Zone, digits: 0 | 1 | 3 = 0): string {
  const time = new Date(epochMs)
  const [h, m, s] =
    zone === 'utc'
      ? [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()]
      : [time.getHours(), time.getMinutes(), time.getSeconds()]
  const ms = String(time.getUTCMilliseconds()).padStart(3, '0').slice(0, digits)
  return `${two(h)}:${two(m)}:${two(s)}${digits === 0 ? '' : `.${ms}`}`
}

/** A date, `2026-11-20`. */
export function dateText(epochMs: number, zone: Zone): string {
  const time = new Date(epochMs)
  return zone === 'utc'
    ? `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`
    : `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/**
 * The name of a zone beside a clock time: `UTC`, or how far from it the reader's clock was at that time, `UTC+5:30`.
 */
export function zoneText(zone: Zone, epochMs: number): string {
  return zone === 'utc' ? 'UTC' : offsetText(-new Date(epochMs).getTimezoneOffset())
}

/** `UTC+2`, `UTC−3:30`; `UTC` itself without an offset. */
export function offsetText(minutesEast: number): string {
  const minutes = Math.abs(minutesEast)
  if (minutes === 0) return 'UTC'
  const rest = minutes % 60
  return `UTC${minutesEast < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${two(rest)}`}`
}

/** A clock time with its date, when it is not of the day of `nowMs`. */
export const instantText = (epochMs: number, nowMs: number, zone: Zone, digits: 0 | 1 | 3 = 0): string =>
  dateText(epochMs, zone) === dateText(nowMs, zone)
    ? clockText(epochMs, zone, digits)
    : `${dateText(epochMs, zone)} ${clockText(epochMs, zone, digits)}`

/** The same with its zone: `03:14:07 UTC`, `2026-11-21 00:03:10 UTC+2`. */
export const zonedText = (epochMs: number, nowMs: number, zone: Zone, digits: 0 | 1 | 3 = 0): string =>
  `${instantText(epochMs, nowMs, zone, digits)} ${zoneText(zone, epochMs)}`

/** A count with thousands: `10,412`. */
export const countText = (n: number): string => n.toLocaleString('en-US')
