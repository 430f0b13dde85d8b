/**
 * One text for one row, however the caller writes the key: the driver takes a uuid in capitals, an address with or without its
 * zeros, a number or a time as text.
 *
 * The types of the columns are not known here. So two keys of type text may have one text, `7` and `007` for example. That is
 * safe: the guard then sends their updates one after another, and says *unknown* of one where the other was lost. Two texts
 * for one row would not be.
 */
import { isIP } from 'node:net'
import cassandra from 'cassandra-driver'

export const rowText = (key: readonly unknown[]): string => JSON.stringify(key.map(spelling))

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const integer = /^[+-]?\d+$/
const date = /^[+-]?\d{4,}-\d/
const time = /^\d+:\d+(:\d+(\.\d+)?)?$/
/** An IPv4 address in sixteen bytes begins so; Cassandra keeps the last four. */
const mapped = `${'0'.repeat(20)}ffff`

function spelling(value: unknown): string {
  if (value instanceof Date) return String(value.getTime())
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex')}`
  const text = String(value)
  if (uuid.test(text)) return text.toLowerCase()
  if (isIP(text) !== 0) {
    const bytes = cassandra.types.InetAddress.fromString(text).getBuffer().toString('hex')
    return `inet ${bytes.startsWith(mapped) ? bytes.slice(mapped.length) : bytes}`
  }
  if (integer.test(text)) return BigInt(text.replace(/^\+/, '')).toString()
  if (date.test(text) && !Number.isNaN(Date.parse(text))) return String(Date.parse(text))
  if (time.test(text)) return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : String(Number(text))
}
