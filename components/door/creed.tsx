const forms = [
  ['solid', 'Solid', 'Cassandra confirmed it. The age stands beside it.'],
  ['outl', 'Outline', 'Not confirmed: a scan saw it, or one client believes it.'],
  ['hatched', 'Hatched', 'Not known now: the last read is too old, or none has answered.'],
  ['may', 'Dashed', 'Planned, still ahead, or missing.'],
] as const

/** The grammar of certainty, for new readers of the console. */
export function Creed() {
  return (
    <aside className="creed" aria-label="How to read the console">
      <p className="motto">Who holds what, for how much longer, and how certain that is.</p>
      <ul>
        {forms.map(([form, word, meaning]) => (
          <li key={form}>
            <span className={`sample ${form}`} aria-hidden="true" />
            <p>
              <b>{word}</b>
              {meaning}
            </p>
          </li>
        ))}
      </ul>
    </aside>
  )
}
