/**
 * The parts of Cassandra's native protocol, versions 3 and 4, that a proxy needs: where a frame ends, which prepared
 * statement it executes, and the error of a time-out. Source: native_protocol_v4.spec, sections 2, 4.1.6 and 9.
 */
export interface Frame {
  readonly bytes: Buffer
  readonly stream: number
  readonly opcode: number
  readonly body: Buffer
}

export const opcodes = { error: 0x00, query: 0x07, result: 0x08, prepare: 0x09, execute: 0x0a } as const

const headerBytes = 9

/** Splits a stream of bytes into frames, whatever the sizes of its chunks. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const frames: Frame[] = []
    while (this.#rest.length >= headerBytes) {
      const end = headerBytes + this.#rest.readInt32BE(5)
      if (this.#rest.length < end) break
      const bytes = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end)
      frames.push({
        bytes,
        stream: bytes.readInt16BE(2),
        opcode: bytes.readUInt8(4),
        body: bytes.subarray(bodyStart(bytes)),
      })
    }
    return frames
  }
}

/** An answer's body comes after the id of its trace and the node's warnings, where its flags announce them (section 2.2). */
function bodyStart(bytes: Buffer): number {
  const [version, flags] = [bytes.readUInt8(0), bytes.readUInt8(1)]
  const isAnswer = (version & 0x80) !== 0
  if (!isAnswer) return headerBytes
  let at = headerBytes + ((flags & 0x02) === 0 ? 0 : 16)
  if ((flags & 0x08) === 0) return at
  let warnings = bytes.readUInt16BE(at)
  for (at += 2; warnings > 0; warnings--) at += 2 + bytes.readUInt16BE(at)
  return at
}

/** PREPARE: the text is its only argument. */
export const preparedText = ({ body }: Frame): string => body.toString('utf8', 4, 4 + body.readInt32BE(0))

/** RESULT of kind Prepared: the id of the prepared statement; undefined: another result. */
export const preparedId = ({ opcode, body }: Frame): string | undefined =>
  opcode === opcodes.result && body.readInt32BE(0) === 4
    ? body.toString('hex', 6, 6 + body.readUInt16BE(4))
    : undefined

/** EXECUTE: the id, and the bound values; null: a null, or unset. */
export function executed({ body }: Frame): { id: string; values: (Buffer | null)[] } {
  const idEnd = 2 + body.readUInt16BE(0)
  const id = body.toString('hex', 2, idEnd)
  // After the id: two bytes of consistency, and one of flags, whose lowest bit means that values follow.
  if ((body.readUInt8(idEnd + 2) & 0x01) === 0) return { id, values: [] }
  const values: (Buffer | null)[] = []
  let at = idEnd + 5
  for (let left = body.readUInt16BE(idEnd + 3); left > 0; left--) {
    const length = body.readInt32BE(at)
    at += 4
    values.push(length < 0 ? null : body.subarray(at, at + length))
    at += Math.max(0, length)
  }
  return { id, values }
}

/** EXECUTE of a statement whose first value is its TTL, an int: the same with a TTL lower by `seconds`, 1 at least. */
export function withLowerTtl({ bytes, body }: Frame, seconds: number): Buffer {
  const lower = Buffer.from(bytes)
  // After the id: consistency, flags, the number of values, and the length of the first one.
  const at = headerBytes + 2 + body.readUInt16BE(0) + 9
  lower.writeInt32BE(Math.max(1, lower.readInt32BE(at) - seconds), at)
  return lower
}

/** ERROR: the node's own time-out of a conditional write (0x1100, CAS), or of a read (0x1200), at SERIAL. */
export function timeOutFrame(stream: number, of: 'conditional write' | 'read'): Buffer {
  const string = (text: string) => {
    const bytes = Buffer.from(text)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const code = Buffer.alloc(4)
  code.writeInt32BE(of === 'read' ? 0x1200 : 0x1100)
  // Consistency SERIAL; of one required replica, none answered.
  const facts = Buffer.from([0x00, 0x08, 0, 0, 0, 0, 0, 0, 0, 1])
  const body = Buffer.concat([
    code,
    string('Operation timed out, by order of a fault proxy'),
    facts,
    of === 'read' ? Buffer.from([0]) : string('CAS'),
  ])
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(0x84, 0)
  header.writeInt16BE(stream, 2)
  header.writeUInt8(opcodes.error, 4)
  header.writeInt32BE(body.length, 5)
  return Buffer.concat([header, body])
}
