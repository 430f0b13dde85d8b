import { crc32 } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Several PNGs as one that moves, over and over. Their data is copied as it is: an animated PNG has the pictures of ordinary
 * ones in other chunks (PNG, third edition, 11.3.6).
 *
 * @param {readonly { png: Buffer, ms: number }[]} frames of one size and one kind of colour; at least one. ms: shown for so long
 * @returns {Buffer}
 */
export function animatedPng(frames) {
  const [first] = frames
  if (first === undefined) throw new Error('A moving picture has at least one frame.')
  const header = headerOf(first.png)
  let sequence = 0
  const out = [SIGNATURE, chunk('IHDR', header), chunk('acTL', uint32s(frames.length, 0))]
  for (const [i, { png, ms }] of frames.entries()) {
    if (!headerOf(png).equals(header))
      throw new Error('The frames differ in size or in their kind of colour.')
    const control = Buffer.concat([
      ...[uint32s(sequence++), header.subarray(0, 8), uint32s(0, 0)],
      // Shown for ms thousandths of a second; each takes the place of the one before.
      Buffer.from([ms >> 8, ms & 0xff, 1000 >> 8, 1000 & 0xff, 0, 0]),
    ])
    out.push(chunk('fcTL', control))
    for (const { type, data } of chunksOf(png))
      if (type === 'IDAT')
        out.push(i === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([uint32s(sequence++), data])))
  }
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))])
}

/** @param {Buffer} png @returns {{ type: string, data: Buffer }[]} */
export function chunksOf(png) {
  const chunks = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

/** @param {Buffer} png */
function headerOf(png) {
  const header = chunksOf(png).find(({ type }) => type === 'IHDR')
  if (header === undefined) throw new Error('This is not a PNG.')
  return header.data
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32s(data.length), named, uint32s(crc32(named))])
}

/** @param {number[]} numbers */
function uint32s(...numbers) {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * i)
  return bytes
}
