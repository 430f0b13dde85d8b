const words = [
  [
    'Lease',
    'A row in Cassandra with an owner and an expiry. When the expiry comes, Cassandra drops the row.',
  ],
  [
    'Candidate',
    'A process that wants to lead. It writes itself as owner into the row, which works only while the row has none. Then it renews: each renewal moves the expiry on.',
  ],
  ['Leader, term', 'The candidate whose owner id is in the row. A term is its time as leader.'],
  [
    'Deadline',
    'When the leader must stop by its own clock. It comes before the expiry, so that two never lead at once.',
  ],
  [
    'Token',
    'A number that each term gets, greater than all before. Storage that keeps the greatest token it has seen refuses a write of an earlier leader, which does not know yet that it lost the lease.',
  ],
] as const

/** The few words that the page is about, for those who see an election for the first time. */
export function LabWords() {
  return (
    <details className="lab-words small">
      <summary>New to leases? Five words</summary>
      <dl>
        {words.map(([word, text]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
