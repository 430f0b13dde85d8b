import type { SsoError } from '../../../contract/people/sso.ts'
import { startOf } from '../../../contract/text-size.ts'

/** A single sign-on that did not work: `code` for the page, the message for the log and the audit. */
export class SsoFailure extends Error {
  /** Instrumentation and routes each have a copy of this class: so the name decides, not `instanceof`. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return typeof thrown === 'object' && thrown !== null && 'name' in thrown && thrown.name === 'SsoFailure'
  }

  override readonly name = 'SsoFailure'
  readonly code: SsoError

  constructor(code: SsoError, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }
}

/**
 * The message of a library's error, with those of its causes. Only sentences: the objects beside them hold codes,
 * tokens and claims, which must not reach a log.
 */
export function sentencesOf(thrown: unknown): string {
  const sentences: string[] = []
  for (let error = thrown; typeof error === 'object' && error !== null && sentences.length < 5; ) {
    const {
      message,
      error: code,
      error_description: said,
      claim,
      attribute,
      cause,
    } = error as Record<string, unknown>
    for (const text of [message, code, said])
      if (typeof text === 'string' && text !== '') sentences.push(text)
    for (const name of [claim, attribute]) if (typeof name === 'string') sentences.push(`of ${name}`)
    error = cause
  }
  return startOf([...new Set(sentences)].join(': '), 500) || String(thrown)
}
