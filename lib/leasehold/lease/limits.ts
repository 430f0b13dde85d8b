import { InvalidArgumentError } from './errors.ts'
import { isReservedOwner, quarantinePrefix } from './owner-mark.ts'
import type { StoreColumns } from './store.ts'

const limits = { name: 512, owner: 512, value: 16 * 1024 } as const

function checkText(what: keyof typeof limits, text: string): void {
  if (typeof text !== 'string')
    throw new InvalidArgumentError(
      `The ${what} is a ${text === null ? 'null' : typeof text}; a string is expected.`,
    )
  if (!text.isWellFormed())
    throw new InvalidArgumentError(`The ${what} contains half of a surrogate pair, which is not text.`)
}

function checkBytes(what: keyof typeof limits, text: string): void {
  checkText(what, text)
  const bytes = Buffer.byteLength(text)
  if (bytes > limits[what])
    throw new InvalidArgumentError(`The ${what} is ${bytes} bytes long; ${limits[what]} are allowed.`)
}

/** @throws InvalidArgumentError unless a lease can have this name: 1 to 512 bytes. */
export function checkName(name: string): void {
  if (name === '') throw new InvalidArgumentError('The name is empty; 1 to 512 bytes are allowed.')
  checkBytes('name', name)
}

/**
 * A plain client may have made a row of a longer name than `checkName` takes: Cassandra holds it, so it can be read.
 * @throws InvalidArgumentError unless Cassandra can hold a row of this name
 */
export function checkNameToRead(name: string): void {
  if (name === '') throw new InvalidArgumentError('The name is empty; Cassandra holds no such row.')
  checkText('name', name)
}

/** @throws InvalidArgumentError unless a row can have this owner: any text, as a plain client may have written it. */
export const checkOwnerSeen = (owner: string): void => checkText('owner', owner)

/** @throws InvalidArgumentError unless a caller can choose this owner: 1 to 512 bytes, not beginning with `!`. */
export function checkOwner(owner: string): void {
  if (owner === '') throw new InvalidArgumentError('The owner is empty; 1 to 512 bytes are allowed.')
  if (typeof owner === 'string' && isReservedOwner(owner))
    throw new InvalidArgumentError('Owners that begin with "!" are reserved.')
  checkBytes('owner', owner)
}

/**
 * The mark in the owner's place while a lease is quarantined.
 * @param id used for one break and never again, so that the mark proves that this break took effect
 * @throws InvalidArgumentError on an id that is empty or too long
 */
export function quarantineMark(id: string): string {
  if (id === '') throw new InvalidArgumentError('The id of the quarantine is empty.')
  const mark = `${quarantinePrefix}${id}`
  checkBytes('owner', mark)
  return mark
}

/** @throws InvalidArgumentError on an option that there is not, naming those that there are */
export function checkOptions(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new InvalidArgumentError(
        `There is no option ${JSON.stringify(name)}; there are ${known.join(', ')}.`,
      )
}

/** @throws InvalidArgumentError unless `waitMs` is 0 or more, in milliseconds; Infinity: for ever */
export function checkWaitMs(waitMs: number): void {
  if (!(typeof waitMs === 'number' && waitMs >= 0))
    throw new InvalidArgumentError(
      `waitMs is ${waitMs}; 0 or more is expected, or Infinity to wait for ever.`,
    )
}

/** @throws InvalidArgumentError unless it is left out, or 100 or more, in milliseconds */
export function checkIdleHintEveryMs(everyMs: number | undefined): void {
  if (everyMs !== undefined && !(typeof everyMs === 'number' && everyMs >= 100))
    throw new InvalidArgumentError(`idleHintEveryMs is ${everyMs}; 100 or more is expected, in milliseconds.`)
}

/** @throws InvalidArgumentError unless the value fits: up to 16 KiB. */
export function checkValue(value: string | null): void {
  if (value !== null) checkBytes('value', value)
}

/**
 * A store leaves out what its table has no column for. The holder would show a value that no reader sees.
 * @throws InvalidArgumentError unless a lease in a table of these columns can have this value
 */
export function checkStorable(value: string | null, columns: StoreColumns): void {
  checkValue(value)
  if (value !== null && !columns.value)
    throw new InvalidArgumentError('This table has no value column; leave the value out.')
}
