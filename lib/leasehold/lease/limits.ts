import { InvalidArgumentError } from './errors.ts'

/** Owners that begin with this mark belong to the protocol (quarantines). */
export const reservedOwnerMark = '!'

const limits = { name: 512, owner: 512, value: 16 * 1024 } as const

function checkBytes(what: keyof typeof limits, text: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > limits[what])
    throw new InvalidArgumentError(`The ${what} is ${bytes} bytes long; ${limits[what]} are allowed.`)
  if (!text.isWellFormed())
    throw new InvalidArgumentError(`The ${what} contains half of a surrogate pair, which is not text.`)
}

/** @throws InvalidArgumentError unless the name can be a lease's: 1 to 512 bytes. */
export function checkName(name: string): void {
  if (name === '') throw new InvalidArgumentError('The name is empty; 1 to 512 bytes are allowed.')
  checkBytes('name', name)
}

/** @throws InvalidArgumentError unless the owner can be chosen: 1 to 512 bytes, not beginning with `!`. */
export function checkOwner(owner: string): void {
  if (owner === '') throw new InvalidArgumentError('The owner is empty; 1 to 512 bytes are allowed.')
  if (owner.startsWith(reservedOwnerMark))
    throw new InvalidArgumentError('Owners that begin with "!" are reserved.')
  checkBytes('owner', owner)
}

/** @throws InvalidArgumentError unless the value fits: up to 16 KiB. */
export function checkValue(value: string | null): void {
  if (value !== null) checkBytes('value', value)
}
