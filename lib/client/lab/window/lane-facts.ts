/** What a lane shows, as sentences: for the table that stands for the lanes, and for those who do not see them. */
import type { BeliefFrame, Lane, LaneTry, LeadBand, Span, StopSpan } from '../lanes/lanes.ts'
import { momentText } from './time-window.ts'

interface LaneFacts {
  readonly leads: readonly string[]
  readonly believes: readonly string[]
  readonly stops: readonly string[]
  readonly tries: string
  readonly renewals: string
  readonly marks: readonly string[]
}

const bandEnds = {
  expired: 'expired',
  released: 'released',
  forced: 'released by force',
  superseded: 'another row was read',
} as const
const beliefEnds = {
  deadline: 'its deadline passed',
  'not-holder': 'a renewal was refused',
  superseded: 'another leader was seen',
  released: 'released',
  resigned: 'resigned',
  closed: 'closed',
  crashed: 'crashed',
} as const
const stopWords = { paused: 'paused', cut: 'network cut', crashed: 'crashed' } as const

export function laneFacts(lane: Lane): LaneFacts {
  return {
    leads: lane.leads.map(bandSentence),
    believes: lane.believes.map(beliefSentence),
    stops: lane.stops.map((stop) => `${stopWords[stop.fault]} ${spanText(stop satisfies StopSpan)}`),
    tries: triesSentence(lane.tries),
    renewals: renewalsSentence(lane),
    marks: lane.marks.map(({ atMs, text }) => `${momentText(atMs)} s: ${text}`),
  }
}

/** The sentence of a lane for those who do not see it: what goes on now. */
export function laneSentence({ leads, believes, stops }: Lane): string {
  const now = [
    ...leads.filter(isOpen).map(bandSentence),
    ...believes.filter(isOpen).map((frame) => `believes to lead ${beliefSentence(frame)}`),
    ...stops.filter(isOpen).map((stop) => `${stopWords[stop.fault]} ${spanText(stop)}`),
  ]
  return now.length === 0 ? 'does not lead' : now.join('; ')
}

const isOpen = ({ toMs }: Span) => toMs === null

const spanText = ({ fromMs, toMs }: Span): string =>
  toMs === null ? `since ${momentText(fromMs)} s` : `from ${momentText(fromMs)} to ${momentText(toMs)} s`

function bandSentence(band: LeadBand): string {
  const { toMs, term, token, expiryMs, end } = band
  const parts = [spanText(band)]
  if (term !== null) parts.push(`term ${term}`)
  if (token !== null) parts.push(`token ${token}`)
  if (toMs === null) parts.push(expiryMs === null ? 'no expiry' : `expiry at ${momentText(expiryMs)} s`)
  else parts.push(end === null ? 'not verified yet' : bandEnds[end])
  return parts.join(', ')
}

function beliefSentence(frame: BeliefFrame): string {
  const { toMs, deadlineMs, end, wrongly } = frame
  const parts = [spanText(frame)]
  if (toMs === null) parts.push(`deadline at ${momentText(deadlineMs)} s`)
  else if (end !== null) parts.push(beliefEnds[end])
  if (wrongly !== null) parts.push(`wrongly ${spanText(wrongly)}`)
  return parts.join(', ')
}

function triesSentence(tries: readonly LaneTry[]): string {
  const count = (applied: boolean | null) => tries.filter((each) => each.applied === applied).length
  const parts = [
    [count(true), 'applied'],
    [count(false), 'not applied'],
    [count(null), 'unknown'],
  ].filter(([n]) => n !== 0)
  return parts.length === 0 ? 'none' : parts.map(([n, word]) => `${n} ${word}`).join(', ')
}

function renewalsSentence({ beats }: Lane): string {
  const last = beats.at(-1)
  return last === undefined ? 'none' : `${beats.length}, the last at ${momentText(last.atMs)} s`
}
