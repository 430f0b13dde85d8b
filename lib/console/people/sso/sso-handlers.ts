import { ssoErrorPath } from '../../../contract/people/sso.ts'
import type { Routes } from '../../../contract/routes.ts'
import type { Handler, Reply } from '../../http/handler.ts'
import { HttpProblem } from '../../http/http-problem.ts'
import type { SsoServices } from '../people-services.ts'
import { signedIn } from '../sessions/session-handlers.ts'
import type { Sso } from './sso.ts'
import * as signing from './sso-sign-in.ts'

export const startSso: Handler<Routes['startSso'], SsoServices> = async (input, services) =>
  reply(await signing.startSso(services, configured(services), input, input.query), services)

export const finishSso: Handler<Routes['finishSso'], SsoServices> = async (input, services) =>
  reply(await signing.finishSso(services, configured(services), input, input.query), services)

function configured({ sso }: SsoServices): Sso {
  if (sso !== null) return sso
  throw new HttpProblem('not-found', 'Single sign-on is not configured (LEASEHOLD_OIDC_ISSUER).')
}

function reply(outcome: signing.SsoOutcome, services: SsoServices): Reply {
  switch (outcome.kind) {
    case 'leads-to':
      return leadTo(outcome.url, outcome.cookies)
    case 'refused':
      return leadTo(ssoErrorPath(outcome.code, outcome.next), outcome.cookies)
    case 'signed-in': {
      const { cookies = [] } = signedIn(outcome.opened, services)
      return leadTo(outcome.next, [...outcome.cookies, ...cookies])
    }
  }
}

const leadTo = (url: string, cookies: readonly string[]): Reply => ({
  status: 302,
  headers: { Location: url },
  cookies,
})
