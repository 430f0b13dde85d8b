/**
 * Puts the pages that comments and the README cite into the package: `node pack-docs.mjs [folder of the package]`.
 *
 * Links among the pages stay. A link to a source or a test of the repository becomes its path: the package has no such file.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const source = join(here, '../../docs')
const target = join(process.argv[2] ?? here, 'docs')

const pages = [
  'guarantees.md',
  ...readdirSync(join(source, 'decisions'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `decisions/${name}`),
]

rmSync(target, { recursive: true, force: true })
mkdirSync(join(target, 'decisions'), { recursive: true })
for (const page of pages) {
  const text = readFileSync(join(source, page), 'utf8')
  const packed = text.replace(/\[([^\]]+)\]\(([^)\s#:]+)(#[^)]*)?\)/g, (link, words, to) => {
    const path = normalize(join(dirname(page), to))
    if (pages.includes(path)) return link
    const inRepository = normalize(join('docs', path))
    return words.includes('/') || inRepository.endsWith(words)
      ? `\`${inRepository}\``
      : `${words} (\`${inRepository}\`)`
  })
  writeFileSync(join(target, page), packed)
}
