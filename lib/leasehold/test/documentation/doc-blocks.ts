/** For the documentation's test alone: finds the code that the documentation shows, with the line where it stands. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

export const root = resolve(import.meta.dirname, '../../../..')

export interface Block {
  /** From the repository's root. */
  readonly file: string
  /** Of the first line of code, from 1. */
  readonly line: number
  /** What stands behind the opening fence; `ts` for an `@example`. */
  readonly language: string
  readonly code: string
  /** A block of a page stands for itself; an `@example` takes the prelude for granted. */
  readonly kind: 'page' | 'example'
}

export const placeOf = ({ file, line }: Block): string => `${file}:${line}`

/** README.md, the package's README.md and docs/. */
export const pageFiles = (): string[] => ['README.md', 'lib/leasehold/README.md', ...filesIn('docs', /\.md$/)]

/** Their fenced blocks. */
export function pageBlocks(): Block[] {
  return pageFiles().flatMap((file) => blocksOfPage(file, readFileSync(join(root, file), 'utf8')))
}

/** Every `@example` of the library and of the server's side; the browser's runs in a browser. */
export function exampleBlocks(): Block[] {
  const sources = ['lib/leasehold', 'lib/console']
    .flatMap((folder) => filesIn(folder, /\.ts$/))
    .filter((file) => !/\.test\.ts$|\/test-[\w-]+\.ts$|leasehold\/test\//.test(file))
  return sources.flatMap((file) => examplesOfSource(file, readFileSync(join(root, file), 'utf8')))
}

export function blocksOfPage(file: string, text: string): Block[] {
  const blocks: Block[] = []
  let open: { fence: string; language: string; line: number; code: string[] } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line)
    if (open === undefined) {
      if (fence) open = { fence: fence[1]!, language: fence[2]!.trim(), line: index + 2, code: [] }
    } else if (fence?.[2] === '' && fence[1]!.startsWith(open.fence)) {
      const { language, line: first, code } = open
      blocks.push({ file, line: first, language, code: code.join('\n'), kind: 'page' })
      open = undefined
    } else open.code.push(line)
  }
  if (open) throw new Error(`${file}:${open.line - 1}: this fence is never closed.`)
  return blocks
}

export function examplesOfSource(file: string, text: string): Block[] {
  return parseSync(file, text).comments.flatMap(({ type, value, start }) => {
    if (type !== 'Block' || !value.startsWith('*')) return []
    const firstLine = text.slice(0, start).split('\n').length
    const lines = value.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
    return lines.flatMap((line, index): Block[] => {
      if (!line.startsWith('@example')) return []
      const below = lines.slice(index + 1)
      const end = below.findIndex((next) => next.startsWith('@'))
      const code = [line.slice('@example'.length), ...(end < 0 ? below : below.slice(0, end))]
      // A fence is not code.
      if (code.some((it) => it.startsWith('```')))
        throw new Error(`${file}:${firstLine + index}: an @example is bare code.`)
      const begin = code.findIndex((it) => it.trim() !== '')
      if (begin < 0) throw new Error(`${file}:${firstLine + index}: an @example without code.`)
      const block = { language: 'ts', code: code.slice(begin).join('\n').trim(), kind: 'example' } as const
      return [{ file, line: firstLine + index + begin, ...block }]
    })
  })
}

export function filesIn(folder: string, named: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
    .sort()
}
