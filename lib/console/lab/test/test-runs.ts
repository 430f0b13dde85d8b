/** For tests on a real Cassandra: runs of a console, and waiting for what their journals say. */
import type { Entry, EntryKind, JournalEntry } from '../../../contract/lab/journal.ts'
import type { NewLabRun } from '../../../contract/lab/run.ts'
import type { TestConsole } from '../../test/test-console.ts'
import type { RunHub } from '../stream/run-hub.ts'

const kinds: readonly EntryKind[] = [
  'caption',
  'leads',
  'lost',
  'fault',
  'act',
  'bakery',
  'joined',
  'left',
  'ended',
]

export class TestRun {
  readonly id: string
  readonly #hub: RunHub

  constructor(id: string, hub: RunHub) {
    this.id = id
    this.#hub = hub
  }

  static async start({ context }: TestConsole, asked: NewLabRun, username = 'admin'): Promise<TestRun> {
    const { run } = await context.lab.start(asked, username)
    return new TestRun(run, await context.lab.open(run))
  }

  get name(): string {
    return this.#hub.source.facts.name
  }

  nowMs(): number {
    return this.#hub.source.nowMs
  }

  get entries(): readonly JournalEntry[] {
    return this.#hub.source.entries
  }

  all<K extends EntryKind>(kind: K): Entry<K>[] {
    return this.entries.filter((entry): entry is Entry<K> => entry.kind === kind)
  }

  /** The first entry of this kind that fits, from now or from before. Fails with the end of the journal. */
  async until<K extends EntryKind>(
    kind: K,
    fits: (entry: Entry<K>) => boolean = () => true,
    withinMs = 120_000,
  ): Promise<Entry<K>> {
    const find = () => this.all(kind).find(fits)
    const found = find()
    if (found !== undefined) return found
    return new Promise((resolve, reject) => {
      const end = () => {
        forget()
        clearTimeout(timer)
      }
      const timer = setTimeout(() => {
        end()
        const telling = this.entries.filter(({ kind }) => kinds.includes(kind))
        const last = [...telling.slice(-25), ...this.entries.slice(-5)].map((entry) => JSON.stringify(entry))
        reject(new Error(`no ${kind} that fits came in ${withinMs} ms:\n${last.join('\n')}`))
      }, withinMs)
      const forget = this.#hub.source.listen(() => {
        const entry = find()
        if (entry === undefined) return
        end()
        resolve(entry)
      })
    })
  }
}
