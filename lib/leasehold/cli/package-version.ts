import { readFileSync } from 'node:fs'

/** Above the sources, and above what `tsc` makes of them. */
const places = ['../package.json', '../../package.json']

/** The version of this package; *unknown* where its files were taken out of it. */
export function packageVersion(): string {
  for (const place of places)
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'))
      if (name === 'leasehold') return version
    } catch {
      // Not this one.
    }
  return 'unknown'
}
