'use client'

import { CopyButton } from '../ui/copy-button.tsx'

const commands = [
  ['verify', 'Check the whole log', 'npm run audit -- verify'],
  ['export', 'Take it along, one JSON object a line', 'npm run -s audit -- export > audit.jsonl'],
] as const

/** What the log proves, and the commands that prove it. */
export function ChainProof() {
  return (
    <section className="proof" aria-labelledby="proof">
      <div>
        <h2 id="proof">What the chain proves</h2>
        <p className="mut">
          Each entry carries a hash over itself and the entry before it, made with a key that Cassandra does
          not have, and the newest hash is kept outside of Cassandra too: an entry that was changed, moved or
          deleted, or an end that was cut off, is found and named. This page checks each entry that it shows;
          only the command checks the whole log.
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
