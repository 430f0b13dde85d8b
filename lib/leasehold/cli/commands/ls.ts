/** `leasehold ls [PREFIX]`: leases, their holders, and the time they have left. */
import { isLeaseholdError, isQuarantine } from '../../lease/index.ts'
import { systemClock, systemTimer } from '../../time/index.ts'
import { type ConnectionOptions, connectionOf } from '../connection/connection.ts'
import { type Opened, type Row, withOpened } from '../connection/open.ts'
import { breakNoteOf } from '../holding/broken-text.ts'
import { CliError } from '../process/cli-error.ts'
import { exitCode } from '../process/exit-codes.ts'
import { unlessAborted, untilInterrupted } from '../process/interrupt.ts'
import { type Io, say, styled } from '../process/io.ts'
import { printable } from '../process/printable.ts'
import { type Change, changesBetween, leftText, rowJson, tableText } from './format.ts'

export interface LsOptions extends ConnectionOptions {
  readonly watch?: boolean
  readonly json?: boolean
  readonly limit: number
}

const pageRows = 200
const readEveryMs = 2_000
const redrawEveryMs = 500

export async function ls(io: Io, prefix: string, options: LsOptions): Promise<number> {
  return withOpened(connectionOf(options, io.env), async (opened) => {
    if (options.watch === true) return watch(io, opened, prefix, options)
    const { rows, more } = await rowsOf(opened, prefix, options.limit).catch((thrown) => {
      throw refusalOf(thrown)
    })
    for (const line of options.json ? rows.map(jsonLine) : shown(io, rows)) io.stdout.write(`${line}\n`)
    if (more) say(io, tooMany(options.limit))
    return exitCode.done
  })
}

const tooMany = (limit: number) => `There are more than ${limit} leases. Show more with --limit.`

/** A token that is good for some names lists those alone: the server says so in the words of its API. */
function refusalOf(thrown: unknown): unknown {
  if (!isLeaseholdError(thrown, 'store-refused') || !/names that begin with/.test(thrown.message))
    return thrown
  const [says = ''] = thrown.message.split(': ask for', 1)
  const next = 'Name one of them: `leasehold ls PREFIX`.'
  return new CliError(exitCode.refused, `${says}. ${next}`, { cause: thrown })
}

async function rowsOf(
  opened: Opened,
  prefix: string,
  limit: number,
): Promise<{ rows: Row[]; more: boolean }> {
  const rows: Row[] = []
  let after: string | null = null
  do {
    const page = await opened.page({ prefix, limit: Math.min(pageRows, limit - rows.length), after })
    rows.push(...page.rows)
    after = page.next
  } while (after !== null && rows.length < limit)
  rows.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { rows, more: after !== null }
}

const jsonLine = (row: Row) => JSON.stringify(rowJson(row))

/** What is no owner stands in brackets. */
function ownerText({ owner, value }: Row): string {
  if (!isQuarantine(owner)) return printable(owner ?? '(none)')
  const { by } = breakNoteOf(value)
  return by === null ? '(broken)' : `(broken by ${printable(by)})`
}

/** Of a broken lease, who held it before. */
function valueText({ owner, value }: Row): string {
  if (!isQuarantine(owner)) return printable(value ?? '')
  const { was } = breakNoteOf(value)
  return was === null ? '' : `held by ${printable(was)} before`
}

function shown(io: Io, rows: readonly Row[]): string[] {
  if (rows.length === 0 && io.stdout.isTTY) return ['No lease is held.']
  const nowMs = systemClock.now().monotonicMs
  const cells = rows.map((row) => [printable(row.name), ownerText(row), leftText(row, nowMs), valueText(row)])
  const width = io.stdout.isTTY ? io.stdout.columns : null
  const [head = '', ...lines] = tableText(['NAME', 'OWNER', 'LEFT', 'VALUE'], cells, width)
  return [styled(io, io.stdout, 'bold', head), ...lines]
}

async function watch(io: Io, opened: Opened, prefix: string, { json, limit }: LsOptions): Promise<number> {
  const { signal, stopListening } = untilInterrupted(io, () => undefined)
  const draws = io.stdout.isTTY && json !== true
  let known = new Map<string, Row>()
  let trouble: string | null = null
  let isCut = false
  const draw = () => {
    const lines = shown(io, [...known.values()])
    // More rows than fit would scroll the headings away.
    const fitting = Math.max(2, io.stdout.rows - 4)
    const more = lines.length - fitting
    const end = more > 0 ? [styled(io, io.stdout, 'dim', `and ${more} more`)] : []
    if (isCut) end.push(styled(io, io.stdout, 'dim', tooMany(limit)))
    if (trouble !== null) end.push(styled(io, io.stdout, 'red', `Not up to date: ${trouble}`))
    io.stdout.write(`\x1b[H\x1b[2J${[...lines.slice(0, fitting), ...end].join('\n')}\n`)
  }
  try {
    while (!signal.aborted) {
      try {
        const { rows, more } = await unlessAborted(signal, rowsOf(opened, prefix, limit))
        const now = new Map(rows.map((row) => [row.name, row]))
        if (more && !isCut && !draws) say(io, tooMany(limit))
        isCut = more
        // Only a list that ends before its limit has every row.
        const isThere = async (name: string) => more && (await opened.store.read(name)).cells !== null
        if (!draws) {
          const changes = await unlessAborted(signal, changesBetween(known, now, isThere))
          for (const change of changes) printChange(io, change, json === true)
        }
        known = now
        trouble = null
      } catch (thrown) {
        if (signal.aborted) break
        if (!isLeaseholdError(thrown, 'store-unavailable')) throw refusalOf(thrown)
        if (trouble === null && !draws) say(io, `${thrown.message} leasehold reads the list again.`)
        trouble = thrown.message
      }
      for (let waitedMs = 0; waitedMs < readEveryMs && !signal.aborted; waitedMs += redrawEveryMs) {
        if (draws) draw()
        await systemTimer.sleep(redrawEveryMs, signal)
      }
    }
    return exitCode.done
  } finally {
    stopListening()
  }
}

function printChange(io: Io, { kind, row }: Change, json: boolean): void {
  const at = new Date(systemClock.now().wallMs).toISOString()
  const line = json
    ? JSON.stringify({ at, change: kind, ...rowJson(row) })
    : [at, kind.padEnd(8), printable(row.name), ownerText(row), valueText(row)].join('  ').trimEnd()
  io.stdout.write(`${line}\n`)
}
