import type { Routes } from '../../../contract/routes.ts'
import { ssoErrorPath } from '../../../contract/sso.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { Handler, Reply } from '../../http/router.ts'
import type { ConsoleContext } from '../../start/context.ts'
import { signedIn } from '../session-handlers.ts'
import type { Sso } from './sso.ts'
import * as signing from './sso-sign-in.ts'

export const startSso: Handler<Routes['startSso']> = async (input, context) =>
  reply(await signing.startSso(context, configured(context), input, input.query), context)

export const finishSso: Handler<Routes['finishSso']> = async (input, context) =>
  reply(await signing.finishSso(context, configured(context), input, input.query), context)

function configured({ sso }: ConsoleContext): Sso {
  if (sso !== null) return sso
  throw new HttpProblem('not-found', 'Single sign-on is not configured here (LEASEHOLD_OIDC_ISSUER).')
}

async function reply(outcome: signing.SsoOutcome, context: ConsoleContext): Promise<Reply> {
  switch (outcome.kind) {
    case 'leads-to':
      return leadTo(outcome.url, outcome.cookies)
    case 'refused':
      return leadTo(ssoErrorPath(outcome.code, outcome.next), outcome.cookies)
    case 'signed-in': {
      const { cookies = [] } = await signedIn(outcome.id, context)
      return leadTo(outcome.next, [...outcome.cookies, ...cookies])
    }
  }
}

const leadTo = (url: string, cookies: readonly string[]): Reply => ({
  status: 302,
  headers: { Location: url },
  cookies,
})
