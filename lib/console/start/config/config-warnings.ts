import type { Config } from './config.ts'

/** Settings that the console starts with, and that are probably a mistake: a sentence each, for the log. */
export function configWarnings({
  publicUrl,
  trustProxy,
}: Pick<Config, 'publicUrl' | 'trustProxy'>): string[] {
  if (publicUrl.protocol !== 'https:' || trustProxy) return []
  return [
    'PUBLIC_URL is https, and LEASEHOLD_TRUST_PROXY is 0. The console itself speaks http, so a proxy is in front of it, and every request seems to come from that proxy: all senders share one limit, and a stranger who guesses passwords delays every sign-in. If the proxy sets X-Forwarded-For, set LEASEHOLD_TRUST_PROXY=1.',
  ]
}
