/**
 * The security headers of every answer. Set before Next sees the request (adapters/node-server.ts), so that every
 * answer has them: static files, redirects and Next's own errors too.
 */

import { publicFiles } from './public-files.ts'

/** Carries a page's nonce from proxy.ts to the layout. */
export const nonceHeader = 'x-nonce'

/** The policy of all answers but pages. If a browser shows such an answer as a page, it can load and run nothing. */
const plainPolicy = "default-src 'none'; frame-ancestors 'none'"

/**
 * Of a page. Only scripts with this request's nonce run, and what they load; styles come from our files, or carry the
 * nonce too. A `style` attribute in HTML from the server is refused: styles are set by script, which the policy allows.
 */
export function pagePolicy(nonce: string): string {
  const isDevelopment = process.env.NODE_ENV === 'development'
  // React's development build evaluates code to show where an error came from; Next's shows it with styles of its own.
  const evaluation = isDevelopment ? " 'unsafe-eval'" : ''
  const styles = isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    `style-src 'self' ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const unused = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

const always: Record<string, string> = {
  'Content-Security-Policy': plainPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The copy buttons write to the clipboard; the console uses no other feature.
  'Permissions-Policy': ['clipboard-write=(self)', ...unused.map((name) => `${name}=()`)].join(', '),
}

/** A year. Not `includeSubDomains`: the hosts below this one are not ours to speak for. */
const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' }

const overHttp = Object.entries(always)
const overHttps = Object.entries({ ...always, ...strictTransport })

/** Files whose names say their contents, which Next lets browsers keep for good; and those of `public/`, asked for again each time. */
const isFile = (path: string) => path.startsWith('/_next/static/') || publicFiles.has(path)

const notKept: [string, string] = ['Cache-Control', 'no-store']

/**
 * The headers of every answer; no cache keeps anything but files. `publicUrl` is undefined until the configuration has
 * been read.
 */
export function securityHeaders(path: string, publicUrl: URL | undefined): readonly [string, string][] {
  const headers = publicUrl?.protocol === 'https:' ? overHttps : overHttp
  return isFile(path) ? headers : [...headers, notKept]
}
