/**
 * The log of pages that fail: one line each, with the id of the request, whatever Next itself says of it. Strangers may open pages:
 * the number of lines has the limit that lines about strangers have.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock } from 'leasehold/time'
import { addressKey } from '../limits/request-limits.ts'
import { Sampler } from '../limits/sampler.ts'
import { strangerLines } from './access-log.ts'
import type { Log } from './log.ts'

/** @param route as the files of `app` name it: never the path, in which a person may have typed anything */
type Threw = (error: unknown, route?: string) => void

const key = Symbol.for('leasehold.page')
/** Next has its own copy of this module: what both share lives on globalThis. */
type Global = typeof globalThis & { [key]?: AsyncLocalStorage<Threw> }

function rendering(): AsyncLocalStorage<Threw> {
  const shared = globalThis as Global
  shared[key] ??= new AsyncLocalStorage()
  return shared[key]
}

/** Next calls this for what a page threw. Where Next is the server, it writes such errors itself. */
export const pageThrew: Threw = (error, route) => rendering().getStore()?.(error, route)

interface Page {
  readonly requestId: string
  readonly address: string | null
  readonly response: {
    readonly statusCode: number
    once(event: 'close', ended: () => void): unknown
  }
}

export class FailedPages {
  readonly #log: Log
  readonly #lines: Pick<Sampler, 'admit'>
  readonly #known = new WeakSet<object>()

  constructor(log: Log, lines: Pick<Sampler, 'admit'> = new Sampler(systemClock, strangerLines)) {
    this.#log = log
    this.#lines = lines
  }

  /** Renders a page, and logs what it throws, or that it was answered with 5xx. Throws what `render` throws. */
  async watch({ requestId, address, response }: Page, render: () => Promise<void>): Promise<void> {
    let isNoted = false
    const note = (error?: unknown, route?: string) => {
      // React reports some errors twice: of the component, and of the page that has it.
      if (isNoted) return
      isNoted = true
      const line = this.#lines.admit(addressKey(address ?? ''))
      if (line === null) return
      const facts = { act: 'page', requestId, route, status: response.statusCode, address, error }
      this.#log.error({ ...facts, notLogged: line.passedOver || undefined }, 'a page failed')
    }
    response.once('close', () => {
      if (response.statusCode >= 500) note()
    })
    try {
      await rendering().run(note, render)
    } catch (thrown) {
      note(thrown)
      if (typeof thrown === 'object' && thrown !== null) this.#known.add(thrown)
      throw thrown
    }
  }

  /** @returns whether `watch` has thrown this error, and logged it if its minute had a line left */
  isNoted(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#known.has(error)
  }
}
