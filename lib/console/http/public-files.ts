/** The files of `public/`, which every browser and every preview of a link gets without a session. */
export const publicFiles: ReadonlySet<string> = new Set([
  '/icon.svg',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
  '/manifest.webmanifest',
  '/preview.png',
])
