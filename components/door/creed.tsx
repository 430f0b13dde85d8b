const forms = [
  ['solid', 'Solid', 'Cassandra said so, and we say when.'],
  ['outl', 'Outline', 'Somebody believes so.'],
  ['hatched', 'Hatched', 'Nobody knows yet.'],
  ['may', 'Dashed', 'Has not happened.'],
] as const

/** The grammar of certainty, for those who are about to read the console. */
export function Creed() {
  return (
    <aside className="creed" aria-label="How to read the console">
      <p className="motto">Who holds what right now, for how much longer, and how sure of it we are.</p>
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
