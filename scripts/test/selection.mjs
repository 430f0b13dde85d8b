import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The test files and the tests that some words select.
 *
 * @typedef {{ files: string[], name: string }} Selection files: paths relative to the root; none means all.
 *   name: a regular expression that names of tests match; empty: all
 */

/** @type {Selection} */
export const everything = { files: [], name: '' }

const FOLDERS = ['lib', 'components', 'app', 'scripts', 'bench', 'cluster', 'e2e']
const FILES = {
  integration: /\.integration\.test\.\w+$/,
  long: /\.long\.(test|spec)\.\w+$|^lib\/leasehold\/.*\.property\.test\.ts$/,
  pictures: /^e2e\/.*\.pictures\.ts$/,
  e2e: /^e2e\/(?!.*\.long\.).*\.spec\.ts$/,
  unit: /^(?!.*\.(integration|long)\.).*\.test\.\w+$/,
}

/**
 * @param {string} root
 * @param {import('./arguments.mjs').Stage} stage
 * @param {string[]} words
 * @returns {Selection | null} null: none. Lint and types have no tests to choose from.
 */
export function select(root, stage, words) {
  if (words.length === 0 || stage === 'lint' || stage === 'types') return everything
  const all = FOLDERS.flatMap((folder) => filesUnder(root, folder)).filter((file) => FILES[stage].test(file))
  const byPath = words.map((word) => all.filter((file) => file.includes(word)))
  if (byPath.every((files) => files.length > 0)) return { files: [...new Set(byPath.flat())], name: '' }
  // A test's name may be composed of a table's cells; its words are in the file all the same.
  const files = all.filter((file) => {
    const text = textOf(root, file)
    return words.every((word) => text.includes(word) || !/^[\w-]+$/.test(word))
  })
  return files.length === 0 ? null : { files, name: words.join(' ') }
}

/** A file with the contract suites that it runs. @param {string} root @param {string} file */
function textOf(root, file) {
  const text = readFileSync(join(root, file), 'utf8')
  const suites = /from '[^']*\/testing\/index\.ts'|from 'leasehold\/testing'/.test(text)
    ? filesUnder(root, 'lib/leasehold/testing').filter((each) => each.endsWith('-contract.ts'))
    : []
  const beside = [...text.matchAll(/from '(\.[^']*-contract\.ts)'/g)].map(([, path]) =>
    join(dirname(file), String(path)),
  )
  return [text, ...[...suites, ...beside].map((each) => readFileSync(join(root, each), 'utf8'))].join('\n')
}

/** @param {string} root @param {string} path @returns {string[]} */
function filesUnder(root, path) {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !/^(node_modules|dist|\..*)$/.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(root, join(path, entry.name)) : [join(path, entry.name)],
    )
}
