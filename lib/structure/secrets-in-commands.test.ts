import { expect, it } from 'vitest'
import { pageBlocks } from '../leasehold/test/documentation/doc-blocks.ts'

/** The token goes to a file or into a stream of the shell: both are read by curl, and no other user sees them. */
const isHidden = (line: string): boolean => /@<\(|>"?\$/.test(line)

it('no command of the documentation has a token among its arguments: every user of the machine sees those', () => {
  const seen = pageBlocks()
    .filter(({ language }) => /^(sh|bash)\b/.test(language))
    .flatMap(({ file, line, code }) =>
      code
        .split('\n')
        .map((text, i) => ({ place: `${file}:${line + i}`, text }))
        .filter(({ text }) => /\bBearer\b/.test(text) && !isHidden(text)),
    )
  expect(seen).toEqual([])
})
