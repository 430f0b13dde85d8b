import { FakeClock } from 'leasehold/testing'
import { describe, expect, it } from 'vitest'
import { bodyMaxBytes, routes } from '../../../contract/routes.ts'
import { byteLength, nameMaxBytes, valueMaxBytes } from '../../../contract/text-size.ts'
import { bodyMaxDepth, bodyWithinMs, readJsonBody } from './json-body.ts'

const json = { 'content-type': 'application/json' }

function request(body: BodyInit | null, headers: Record<string, string> = json): Request {
  // The types of the DOM do not know `duplex`, which Node asks for.
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return new Request('http://localhost:3000/v1/x', init)
}

const refused = (body: BodyInit, headers?: Record<string, string>) =>
  readJsonBody(request(body, headers)).then(
    () => 'read',
    (problem) => problem.code,
  )

/** A body that comes as the test says. */
function trickle() {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      control = given
    },
    cancel: () => {
      isCancelled = true
    },
  })
  return {
    stream,
    send: (text: string) => control?.enqueue(new TextEncoder().encode(text)),
    end: () => control?.close(),
    isCancelled: () => isCancelled,
  }
}

describe('the body of a request', () => {
  it('is JSON, in UTF-8, cut anywhere', async () => {
    const bytes = new TextEncoder().encode('{"name":"müll/🗝"}')
    const stream = new ReadableStream({
      start: (control) => {
        for (const byte of bytes) control.enqueue(Uint8Array.of(byte))
        control.close()
      },
    })
    expect(await readJsonBody(request(stream))).toEqual({ name: 'müll/🗝' })
    expect(
      await readJsonBody(request('{}', { 'content-type': 'application/json; charset="UTF-8"' })),
    ).toEqual({})
    expect(await readJsonBody(request(null))).toBeUndefined()
  })

  it.each([
    ['no type', '{}', { 'content-type': '' }],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text, which a page of another origin may send', '{}', { 'content-type': 'text/plain' }],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed', '{}', { ...json, 'content-encoding': 'gzip' }],
  ])('is refused: %s', async (_, body, headers) => {
    expect(await refused(body, headers)).toBe('unsupported-media-type')
  })

  it('is refused when it is no JSON or no UTF-8', async () => {
    expect(await refused('{"a":')).toBe('bad-request')
    expect(await refused(Uint8Array.of(0x22, 0xff, 0x22))).toBe('bad-request')
  })

  it('may be nested, up to a limit', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(await refused(nested(bodyMaxDepth))).toBe('read')
    expect(await refused(nested(bodyMaxDepth + 1))).toBe('bad-request')
    expect(await refused(nested(16_000))).toBe('bad-request')
  })

  it('is not read when its length header says that it is too long', async () => {
    const { stream, isCancelled } = trickle()
    const long = request(stream, { ...json, 'content-length': String(bodyMaxBytes + 1) })
    await expect(readJsonBody(long)).rejects.toMatchObject({
      code: 'body-too-large',
      headers: { Connection: 'close' },
    })
    expect(isCancelled()).toBe(false)
  })

  it('is read no further when it grows too long', async () => {
    const { stream, send, isCancelled } = trickle()
    const reading = readJsonBody(request(stream))
    send('"')
    send('x'.repeat(bodyMaxBytes))
    await expect(reading).rejects.toMatchObject({ code: 'body-too-large' })
    expect(isCancelled()).toBe(true)
    expect(await refused(`"${'x'.repeat(bodyMaxBytes - 2)}"`)).toBe('read')
  })

  it('may be longer where a route needs it: 16 KiB of characters that are all escaped', async () => {
    const lock = { owner: 'o'.repeat(512), value: '\u0001'.repeat(valueMaxBytes), ttlSeconds: 86_400 }
    const token = { name: 'n'.repeat(128), prefixes: Array(50).fill('\u0001'.repeat(nameMaxBytes)) }
    for (const [body, { bodyMaxBytes: maxBytes }] of [
      [lock, routes.putLock],
      [lock, routes.campaign],
      [token, routes.createToken],
    ] as const) {
      const text = JSON.stringify(body)
      expect(byteLength(text)).toBeGreaterThan(bodyMaxBytes)
      expect(await readJsonBody(request(text), { maxBytes })).toEqual(body)
      await expect(readJsonBody(request(text))).rejects.toMatchObject({ code: 'body-too-large' })
    }
  })

  it('is given up when it is not complete after ten seconds, however steadily it trickles', async () => {
    const clock = new FakeClock()
    const inTime = trickle()
    const read = readJsonBody(request(inTime.stream), { timer: clock })
    inTime.send('{"a":')
    await clock.advance(bodyWithinMs - 1)
    inTime.send('1}')
    inTime.end()
    expect(await read).toEqual({ a: 1 })

    const { stream, send, isCancelled } = trickle()
    const settled = readJsonBody(request(stream), { timer: clock }).catch((problem) => problem)
    for (let i = 0; i < 10; i++) {
      send(' ')
      await clock.advance(bodyWithinMs / 10)
    }
    expect(await settled).toMatchObject({ code: 'body-too-slow', headers: { Connection: 'close' } })
    expect(isCancelled()).toBe(true)
  })
})
