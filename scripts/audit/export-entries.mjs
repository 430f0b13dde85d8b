const CHAINS = /** @type {const} */ (['main', 'refused'])

/**
 * The entries of both chains by their times. Within a chain they keep its order, whatever the clocks of the consoles said
 * that wrote it. An export leaves nothing out: a row that is no JSON is given as it is, after the row before it, and what
 * is in no chain comes last. It is read page by page: of a log of any length one page of each chain is in memory.
 *
 * @param {Pick<Awaited<ReturnType<typeof import('./source.mjs').openSource>>, 'buckets' | 'rows'>} source
 * @param {Pick<import('./arguments.mjs').AuditArguments, 'from' | 'to'>} days
 * @param {Pick<Awaited<ReturnType<typeof import('./core.mjs').loadCore>>, 'bucketOf' | 'comparePartitions' | 'jsonOf'>} core
 * @returns {AsyncGenerator<{ prev: string, hash: string }>}
 */
export async function* exportedEntries(source, { from = '', to = '9999-99-99' }, core) {
  const partitions = (await source.buckets())
    .map(({ partition }) => partition)
    .filter((partition) => {
      const day = partition.split(':')[1]?.slice(0, 10) ?? ''
      return day >= from && day <= to
    })
    .sort(core.comparePartitions)
  /** @param {string[]} some */
  async function* entriesOf(some) {
    for (const partition of some)
      for await (const { seq, body, prev, hash } of source.rows(partition, -(2 ** 31))) {
        const entry = core.jsonOf(body) ?? { partition, seq, body }
        yield { at: typeof entry.at === 'string' ? entry.at : '', entry: { ...entry, prev, hash } }
      }
  }
  const chainOf = (/** @type {string} */ partition) =>
    CHAINS.find((chain) => core.bucketOf(chain, partition) !== null)
  yield* byTime(CHAINS.map((chain) => entriesOf(partitions.filter((it) => chainOf(it) === chain))))
  yield* byTime([entriesOf(partitions.filter((it) => chainOf(it) === undefined))])
}

/**
 * @template T
 * @param {AsyncGenerator<{ at: string, entry: T }>[]} chains
 * @returns {AsyncGenerator<T>}
 */
async function* byTime(chains) {
  let heads = []
  for (const chain of chains) heads.push({ chain, next: await chain.next() })
  for (;;) {
    heads = heads.filter(({ next }) => !next.done)
    if (heads.length === 0) return
    const oldest = heads.reduce((one, other) => (other.next.value.at < one.next.value.at ? other : one))
    yield oldest.next.value.entry
    oldest.next = await oldest.chain.next()
  }
}
