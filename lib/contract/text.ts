import { z } from 'zod'
import {
  byteLength,
  nameMaxBytes,
  ownerMaxBytes,
  reservedOwnerMark,
  unprintable,
  valueMaxBytes,
} from './text-size.ts'

const describe = (char: string): string =>
  `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

/**
 * What a JSON Schema can say of `printable`: a text of at most so many bytes has at most so many characters. Surrogates
 * are left out, because not every dialect of regular expressions knows them.
 */
const asJsonSchema = (what: string, maxBytes: number) => ({
  minLength: 1,
  maxLength: maxBytes,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  description: `${what} 1 to ${maxBytes} bytes of UTF-8, without control characters.`,
})

function printable(what: string, maxBytes: number) {
  return z.string({ error: `The ${what} is missing.` }).superRefine((text, context) => {
    const bytes = byteLength(text)
    const bad = text.match(unprintable)?.[0]
    if (bytes === 0)
      context.addIssue({
        code: 'custom',
        message: `The ${what} is empty; 1 to ${maxBytes} bytes are allowed.`,
      })
    else if (bad !== undefined)
      context.addIssue({
        code: 'custom',
        message: `The ${what} contains ${describe(bad)}, a control character; only printable text is allowed.`,
      })
    else if (bytes > maxBytes)
      context.addIssue({
        code: 'custom',
        message: `The ${what} is ${bytes} bytes long; ${maxBytes} are allowed.`,
      })
  })
}

/** A lease's name: anything printable, 1 to 512 bytes. */
export const leaseNameSchema = printable('name', nameMaxBytes).meta(asJsonSchema('The name.', nameMaxBytes))

/** An owner chosen by a caller: anything printable, 1 to 512 bytes, not beginning with `!`. */
export const ownerSchema = printable('owner', ownerMaxBytes)
  .refine((owner) => !owner.startsWith(reservedOwnerMark), {
    message: 'Owners that begin with "!" are reserved.',
  })
  .meta({
    ...asJsonSchema('The owner, unique to one tenure.', ownerMaxBytes),
    // The first character is no `!` either.
    pattern:
      '^[^!\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029][^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  })

/** A lease's value: any text up to 16 KiB. It is data, so that control characters are allowed. */
export const valueSchema = z
  .string()
  .superRefine((text, context) => {
    const bytes = byteLength(text)
    if (bytes > valueMaxBytes)
      context.addIssue({
        code: 'custom',
        message: `The value is ${bytes} bytes long; ${valueMaxBytes} are allowed.`,
      })
    else if (/\p{Cs}/u.test(text))
      context.addIssue({
        code: 'custom',
        message: 'The value contains half of a surrogate pair, which is not text.',
      })
  })
  .meta({
    maxLength: valueMaxBytes,
    description: `The value: text of at most ${valueMaxBytes} bytes of UTF-8.`,
  })

/** Which configured table; `leases` when left out. */
export const tableIdSchema = z.string().describe('The id of a configured table; `leases` when left out.')

/** Letters, digits, punctuation or symbols: something that a reader sees. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u
/** Characters that change the order in which text is shown: a person would read another text. */
const reordering = /\p{Bidi_Control}/u
/** Controls, format characters, halves of surrogate pairs, and whatever else leaves no trace on the screen. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u

/** A name on one line that reads as it is: two names that look alike by invisible characters cannot both exist. */
export const lineSchema = (what: string, maxLength: number) =>
  z
    .string({ error: `The ${what} is missing.` })
    .trim()
    .normalize('NFC')
    .min(1, `The ${what} is empty.`)
    .max(maxLength, `The ${what} is longer than ${maxLength} characters.`)
    .superRefine((text, context) => {
      const bad = text.match(invisible)?.[0]
      if (bad !== undefined)
        context.addIssue({
          code: 'custom',
          message: `The ${what} contains ${describe(bad)}, which cannot be seen; only printable text is allowed.`,
        })
      else if (text !== '' && !visible.test(text))
        context.addIssue({
          code: 'custom',
          message: `The ${what} has no visible character.`,
        })
    })

/** Text that people write for people, over several lines perhaps. @param empty the sentence for a text that shows nothing */
export const proseSchema = (what: string, maxLength: number, empty: string) =>
  z
    .string({ error: `The ${what} is missing.` })
    .trim()
    .normalize('NFC')
    .min(1, empty)
    .max(maxLength, `The ${what} is longer than ${maxLength} characters.`)
    .superRefine((text, context) => {
      const bad = text.match(/[^\P{Cc}\n\r\t]|[\p{Cs}\p{Zl}\p{Zp}]/u)?.[0] ?? text.match(reordering)?.[0]
      if (bad !== undefined)
        context.addIssue({
          code: 'custom',
          message: `The ${what} contains ${describe(bad)}, which cannot be shown; only printable text is allowed.`,
        })
      else if (text !== '' && !visible.test(text)) context.addIssue({ code: 'custom', message: empty })
    })

/** An instant: ISO 8601, UTC, milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-01-01T00:00:00.000Z'] })

/** A writetime in microseconds, as a decimal string: it does not fit into a JavaScript number for ever. */
export const microsSchema = z
  .string()
  .regex(/^-?\d+$/, 'A decimal string of microseconds is expected.')
  .meta({ examples: ['1767225600000000'] })

/** A fencing token that a caller names. It is the time of a conditional write, so that none has fewer digits. */
export const fencingTokenSchema = z
  .string()
  .regex(
    /^[1-9]\d{15,18}$/,
    'The fencing token is not valid. Send the token from the answer that acquired the lease: a decimal string of microseconds since the epoch.',
  )

/** JavaScript would read `1e3`, `0x10`, ` 5` and an empty text as numbers too: a typing error would be carried out. */
const inDigits = (given: unknown): unknown =>
  typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given

/**
 * A whole number in a query.
 * @param what how a sentence about it begins: `The limit`
 */
export function queryNumberSchema(what: string, min: number, max: number) {
  const allowed = `${min} to ${max} are allowed.`
  return z.preprocess(
    inDigits,
    z
      .int({ error: `${what} is not a whole number, written in digits alone; ${allowed}` })
      .min(min, `${what} is below ${min}; ${allowed}`)
      .max(max, `${what} is above ${max}; ${allowed}`),
  )
}
