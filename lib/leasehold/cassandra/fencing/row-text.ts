/**
 * One text for one row, however the caller writes the key: the driver takes a uuid in capitals, an address with or without its
 * zeros, a number or a time as text.
 *
 * Guarantees: two spellings of one key have one text, where the value of each column is written as its type is:
 * - a number: a number, a bigint, an object of the driver, or digits with or without a sign and a fraction;
 * - a timestamp: its milliseconds, or a text of it as in ISO 8601 or in HTTP; a date: YYYY-MM-DD; a time: HH:MM:SS;
 * - a boolean: true and false, or 1 and 0; a blob, an inet, a uuid: bytes too.
 * Does not guarantee: that two rows have two texts. The types of the columns are not known here, so that two keys of type text
 * may have one text, `7` and `007` for example; all collections have one. That is safe: the guard then sends their updates
 * one after another, and says *unknown* of one where the other was lost. Two texts for one row would not be.
 * Nor one text for a float or a double that is given as two numbers, which the column then rounds to one; nor for a timestamp that is
 * given as a text of digits alone, which the driver takes for a year.
 * A `Date` has no text: `FencedTable` refuses it. So it does with a column that is given once as bytes and once otherwise: bytes may be
 * a value of any type.
 */
import { isIP } from 'node:net'
import cassandra from 'cassandra-driver'

export const rowText = (key: readonly unknown[]): string => JSON.stringify(key.map(spelling))

/**
 * As `rowText`, and one for two keys that a column of type ascii takes for one: the driver sends the low byte of each character, so
 * that *Ł* is sent as *A*. To compare rows by, not to show.
 */
export const rowId = (key: readonly unknown[]): string =>
  JSON.stringify(key.map((value) => spelling(Buffer.from(spelling(value), 'latin1').toString('latin1'))))

const { BigDecimal, InetAddress, Integer, LocalDate, LocalTime, Long, Uuid } = cassandra.types
const scalars = [BigDecimal, InetAddress, Integer, LocalDate, LocalTime, Long, Uuid]
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const whole = /^([+-]?\d+)(\.0*)?$/
const moment = /^[+-]?\d|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i
const time = /^\d+:\d+(:\d+(\.\d+)?)?$/
/** An IPv4 address in sixteen bytes begins so; Cassandra keeps the last four. */
const mapped = `${'0'.repeat(20)}ffff`

function spelling(value: unknown): string {
  if (Buffer.isBuffer(value)) return ofBytes(value.toString('hex'))
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'object' && !scalars.some((scalar) => value instanceof scalar)) return 'collection'
  const text = String(value)
  // As its bytes, those that begin like an IPv4 address included.
  if (uuid.test(text)) return ofBytes(text.replaceAll('-', '').toLowerCase())
  const address = isIP(text) === 0 ? null : addressBytes(text)
  if (address !== null) return ofBytes(address.toString('hex'))
  // Not by `Number`, which rounds.
  const digits = whole.exec(text)?.[1]
  if (digits !== undefined) return ofInteger(BigInt(digits.replace('+', '')))
  // The driver drops the fraction where the column is an int.
  if (text.trim() !== '' && Number.isFinite(Number(text))) return ofInteger(BigInt(Math.trunc(Number(text))))
  if (time.test(text)) {
    const [hours, minutes, seconds = 0] = text.split(':').map(Number)
    return `${hours}:${minutes}:${seconds}`
  }
  if (moment.test(text) && !Number.isNaN(Date.parse(text))) return String(Date.parse(text))
  return text
}

/** null: the driver takes no such address (with a zone, for example), so that the column is text. */
function addressBytes(text: string): Buffer | null {
  try {
    return InetAddress.fromString(text).getBuffer()
  } catch {
    return null
  }
}

function ofBytes(hex: string): string {
  const bytes = hex.startsWith(mapped) ? hex.slice(mapped.length) : hex
  // Sixteen bytes as a uuid: errors show this text. Others are not to be taken for a number.
  return bytes.length === 32
    ? bytes.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : `x${bytes}`
}

/** Of a bigint, the driver sends 64 bits. */
const ofInteger = (integer: bigint) => BigInt.asIntN(64, integer).toString()
