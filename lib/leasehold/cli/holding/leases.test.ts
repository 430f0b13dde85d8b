import { expect, it } from 'vitest'
import type { Io } from '../process/io.ts'
import { sayUnanswered } from './leases.ts'

it('a release without an answer promises no time: a renewal that came late gives the row a full TTL from then on', () => {
  const said: string[] = []
  const output = { write: (text: string) => void said.push(text), isTTY: false, columns: 80, rows: 24 }
  const io: Io = { env: {}, stdout: output, stderr: output, onSignal: () => () => {} }
  sayUnanswered(io, 'job', 30)
  expect(said.join('')).toContain(
    'The release of "job" is not answered. It is usually free again within 30 s.',
  )
})
