'use client'

import { CopyButton } from '../ui/control/copy-button.tsx'

const commands = [
  ['verify', 'Check the whole log', 'npm run audit -- verify'],
  ['export', 'Export it, one JSON object per line', 'npm run -s audit -- export > audit.jsonl'],
] as const

/** What the log proves, and the commands that prove it. */
export function ChainProof() {
  return (
    <section className="proof" aria-labelledby="proof">
      <div>
        <h2 id="proof">What the chain proves</h2>
        <p className="mut">
          Each entry carries a hash of itself and of the entry before it. The key of the hash is not in
          Cassandra, and the newest hash is also kept outside Cassandra. So{' '}
          <span className="mono">npm run audit -- verify</span> finds every entry that was changed, moved or
          deleted, the newest ones included. This page checks only the entries that it shows.
        </p>
      </div>
      <div className="commands">
        {commands.map(([key, title, command]) => (
          <div key={key} className="cql">
            <header>
              {title}
              <span className="push">
                <CopyButton text={command} label={`Copy the command: ${key}`} />
              </span>
            </header>
            <pre>{command}</pre>
          </div>
        ))}
      </div>
    </section>
  )
}
