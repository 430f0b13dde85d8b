import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.mjs'
import { openLogFile } from './log-file.mjs'

/** @type {string} */
let dir
/** @type {string} */
let file
beforeEach(() => {
  dir = temporaryFolder('leasehold-log')
  file = join(dir, 'console.log')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const linesIn = (/** @type {string} */ path) => readFileSync(path, 'utf8').split('\n').slice(0, -1)

it('keeps to its size while it is written, and no line is lost or torn at a rotation', () => {
  const limitBytes = 4_096
  const log = openLogFile(file, { limitBytes })
  /** @type {string[]} */
  const seen = []
  for (let i = 0; i < 1_000; i += 1) {
    const rotated = existsSync(`${file}.1`) ? statSync(`${file}.1`).ino : 0
    log.write(`${i} ${'é'.repeat(i % 50)}`)
    expect(statSync(file).size).toBeLessThanOrEqual(limitBytes)
    // What moves away has been complete by then.
    if (existsSync(`${file}.1`) && statSync(`${file}.1`).ino !== rotated) seen.push(...linesIn(`${file}.1`))
  }
  log.close()
  seen.push(...linesIn(file))
  expect(readdirSync(dir).sort()).toEqual(['console.log', 'console.log.1'])
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => `${i} ${'é'.repeat(i % 50)}`))
})

it('continues an existing file, and counts its size', () => {
  writeFileSync(file, `${'x'.repeat(90)}\n`)
  const log = openLogFile(file, { limitBytes: 100 })
  log.write('short')
  log.write('more')
  log.close()
  expect(linesIn(`${file}.1`)).toEqual(['x'.repeat(90), 'short'])
  expect(linesIn(file)).toEqual(['more'])
})

it('takes a line that is longer than a whole file, alone', () => {
  const log = openLogFile(file, { limitBytes: 10 })
  for (const line of ['a', 'x'.repeat(50), 'b']) log.write(line)
  log.close()
  expect(linesIn(`${file}.1`)).toEqual(['x'.repeat(50)])
  expect(linesIn(file)).toEqual(['b'])
})

it('is for its owner alone, and says nothing when it is written after its end', () => {
  const log = openLogFile(file)
  log.write('a')
  log.close()
  log.write('b')
  expect(linesIn(file)).toEqual(['a'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
