import { crc32, deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { animatedPng, chunksOf } from './animated-png.mjs'

const uint32 = (/** @type {number} */ number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
const chunk = (/** @type {string} */ type, /** @type {Buffer} */ data) => {
  const named = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}
/** One grey pixel. */
const pixel = (/** @type {number} */ grey, width = 1) =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([uint32(width), uint32(1), Buffer.from([8, 0, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.from([0, ...Array(width).fill(grey)]))),
    chunk('IEND', Buffer.alloc(0)),
  ])

it('has the data of its frames, each with its time, under checksums that hold', () => {
  const moving = animatedPng([
    { png: pixel(10), ms: 400 },
    { png: pixel(200), ms: 3000 },
  ])
  const chunks = chunksOf(moving)
  expect(chunks.map(({ type }) => type)).toEqual([
    ...['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'],
  ])
  const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data)
  expect(controls.map((data) => [data.readUInt32BE(0), data.readUInt16BE(20)])).toEqual([
    [0, 400],
    [1, 3000],
  ])
  expect(controls.map(({ length }) => length)).toEqual([26, 26])
  const [ofSecond] = chunksOf(pixel(200)).filter(({ type }) => type === 'IDAT')
  expect(chunks[5]?.data.subarray(4).equals(ofSecond?.data ?? Buffer.alloc(0))).toBe(true)
  expect(chunks[5]?.data.readUInt32BE(0)).toBe(2)
  for (let at = 8; at < moving.length; ) {
    const end = at + 8 + moving.readUInt32BE(at)
    expect(moving.readUInt32BE(end)).toBe(crc32(moving.subarray(at + 4, end)))
    at = end + 4
  }
})

it('is not made of frames of several sizes', () => {
  const frames = [pixel(1), pixel(1, 2)].map((png) => ({ png, ms: 100 }))
  expect(() => animatedPng(frames)).toThrow('differ in size')
})
