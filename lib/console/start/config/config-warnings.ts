import type { Config } from './config.ts'

/** Settings that the console starts with, and that are probably a mistake: a sentence each, for the log. */
export function configWarnings({
  publicUrl,
  trustProxy,
}: Pick<Config, 'publicUrl' | 'trustProxy'>): string[] {
  if (publicUrl.protocol !== 'https:' || trustProxy) return []
  return [
    'PUBLIC_URL is https, and LEASEHOLD_TRUST_PROXY is 0. This process speaks http, so a proxy stands before it, and every request seems to come from that proxy: all senders share one limit, and strangers who guess passwords hold up everyone. Set LEASEHOLD_TRUST_PROXY=1 if the proxy sets X-Forwarded-For.',
  ]
}
