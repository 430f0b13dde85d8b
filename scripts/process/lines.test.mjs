import { PassThrough, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { eachLine } from './lines.mjs'

/** @param {(string | Buffer)[]} chunks @param {{ longest?: number }} [options] */
async function linesOf(chunks, options) {
  /** @type {string[]} */
  const lines = []
  await eachLine(
    Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
    (line) => lines.push(line),
    options,
  )
  return lines
}

it.each([
  [['a\nb\n'], ['a', 'b']],
  [
    ['a', 'b\nc', 'd'],
    ['ab', 'cd'],
  ],
  [
    ['a\r\nb\r', '\n'],
    ['a', 'b'],
  ],
  [['\n\n'], ['', '']],
  [[], []],
])('%j are the lines %j', async (chunks, lines) => expect(await linesOf(chunks)).toEqual(lines))

it('joins a letter that two chunks share', async () => {
  const [first, second] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)]
  expect(await linesOf([first, second])).toEqual(['é'])
})

it('hands a line over in pieces when it is too long, ended or not', async () => {
  expect(await linesOf(['abcde\nf\n'], { longest: 2 })).toEqual(['ab', 'cd', 'e', 'f'])
  expect(await linesOf(['abc', 'de'], { longest: 2 })).toEqual(['ab', 'cd', 'e'])
})

it('takes what came before the stream broke', async () => {
  const stream = new PassThrough()
  /** @type {string[]} */
  const lines = []
  const read = eachLine(stream, (line) => {
    lines.push(line)
    if (line === 'a') setImmediate(() => stream.destroy(new Error('gone')))
  })
  stream.write('a\nb')
  await read
  expect(lines).toEqual(['a', 'b'])
})
