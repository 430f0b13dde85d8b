import { Say } from '../ui/text/say.tsx'

/** For a browser without scripts, where the form would do nothing. */
export function NeedsScripts({ what }: { what: string }) {
  return (
    <noscript>
      <Say tone="warn" icon="risk" title={`${what} needs JavaScript.`}>
        Allow JavaScript for this site, then reload the page.
      </Say>
    </noscript>
  )
}
