import cassandra from 'cassandra-driver'
import { describe, expect, it } from 'vitest'
import {
  executed,
  FrameReader,
  opcodes,
  preparedId,
  preparedText,
  timeOutFrame,
  withLowerTtl,
} from './native-frames.ts'

const frame = (opcode: number, stream: number, body: Buffer): Buffer => {
  const header = Buffer.alloc(9)
  header.writeUInt8(4, 0)
  header.writeInt16BE(stream, 2)
  header.writeUInt8(opcode, 4)
  header.writeInt32BE(body.length, 5)
  return Buffer.concat([header, body])
}
const int = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(n)
  return bytes
}
const short = (n: number) => int(n).subarray(2)
const one = (bytes: Buffer) => {
  const [only] = new FrameReader().push(bytes)
  if (only === undefined) throw new Error('no frame')
  return only
}

describe('frames', () => {
  const first = frame(opcodes.prepare, 7, Buffer.concat([int(6), Buffer.from('SELECT')]))
  const second = frame(opcodes.result, -1, Buffer.alloc(0))

  it('are assembled from chunks of any size', () => {
    const bytes = Buffer.concat([first, second, first])
    for (const size of [1, 5, 9, 20, bytes.length]) {
      const reader = new FrameReader()
      const frames = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        reader.push(bytes.subarray(i * size, (i + 1) * size)),
      ).flat()
      expect(frames.map(({ opcode, stream }) => [opcode, stream])).toEqual([
        [opcodes.prepare, 7],
        [opcodes.result, -1],
        [opcodes.prepare, 7],
      ])
      expect(Buffer.concat(frames.map((each) => each.bytes))).toEqual(bytes)
    }
  })

  it('show which statement is prepared, and under which id', () => {
    expect(preparedText(one(first))).toBe('SELECT')
    const prepared = Buffer.concat([int(4), short(2), Buffer.from('abcd', 'hex')])
    expect(preparedId(one(frame(opcodes.result, 7, prepared)))).toBe('abcd')
    expect(preparedId(one(frame(opcodes.result, 7, int(1))))).toBeUndefined()
  })

  it('show the id also behind the warnings and the trace of an answer', () => {
    const prepared = Buffer.concat([int(4), short(2), Buffer.from('abcd', 'hex')])
    const warnings = Buffer.concat([short(2), short(3), Buffer.from('one'), short(0)])
    const answer = (flags: number, ...body: Buffer[]) => {
      const bytes = frame(opcodes.result, 7, Buffer.concat(body))
      bytes.set([0x84, flags])
      return one(bytes)
    }
    expect(preparedId(answer(0x08, warnings, prepared))).toBe('abcd')
    expect(preparedId(answer(0x0a, Buffer.alloc(16), warnings, prepared))).toBe('abcd')
  })

  it('show the bound values, nulls included', () => {
    const id = [short(2), Buffer.from('abcd', 'hex'), short(4)]
    const values = [short(2), int(2), Buffer.from('xy'), int(-1)]
    const bound = Buffer.concat([...id, Buffer.from([1]), ...values])
    expect(executed(one(frame(opcodes.execute, 1, bound)))).toEqual({
      id: 'abcd',
      values: [Buffer.from('xy'), null],
    })
    const bare = Buffer.concat([...id, Buffer.from([0])])
    expect(executed(one(frame(opcodes.execute, 1, bare)))).toEqual({ id: 'abcd', values: [] })
  })

  it('can carry a lower TTL, of a second at least, and are the same otherwise', () => {
    const bound = (ttl: number) => {
      const id = [short(2), Buffer.from('abcd', 'hex'), short(4)]
      const values = [short(2), int(4), int(ttl), int(2), Buffer.from('xy')]
      return one(frame(opcodes.execute, 1, Buffer.concat([...id, Buffer.from([1]), ...values])))
    }
    const sent = bound(6)
    expect(withLowerTtl(sent, 2)).toEqual(bound(4).bytes)
    expect(withLowerTtl(sent, 6)).toEqual(bound(1).bytes)
    expect(sent).toEqual(bound(6))
  })

  it('report a time-out as the node does', () => {
    const { opcode, stream, body } = one(timeOutFrame(300, 'conditional write'))
    expect([opcode, stream, body.readInt32BE(0)]).toEqual([
      opcodes.error,
      300,
      cassandra.types.responseErrorCodes.writeTimeout,
    ])
    expect(body.toString().endsWith('\0\u0003CAS')).toBe(true)
    expect(one(timeOutFrame(1, 'read')).body.readInt32BE(0)).toBe(
      cassandra.types.responseErrorCodes.readTimeout,
    )
  })
})
