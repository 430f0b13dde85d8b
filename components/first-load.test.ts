/**
 * What a page fetches before it shows anything. Schemas, dialogs and the flow of a release are large, and come when they
 * are needed: by `import()`, which this walk does not follow.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** The specifiers whose code comes along with a file: imports of types alone cost nothing. */
function fetchedWith(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  const imports = module.staticImports.filter(
    ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType),
  )
  const exports = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ isType, moduleRequest }) => moduleRequest !== null && !isType)
  return [
    ...imports.map(({ moduleRequest }) => moduleRequest.value),
    ...exports.map(({ moduleRequest }) => moduleRequest?.value ?? ''),
  ]
}

/** From a file to what it fetches: each package or file, with the path of imports that leads there. */
function firstLoadOf(entry: string): Map<string, string[]> {
  const found = new Map<string, string[]>([[entry, [entry]]])
  for (const [file, path] of found) {
    if (!/\.tsx?$/.test(file)) continue
    for (const specifier of fetchedWith(file)) {
      const next = specifier.startsWith('.')
        ? relative(root, resolve(root, dirname(file), specifier))
        : specifier
      if (next.startsWith('.') || found.has(next)) continue
      if (specifier.startsWith('.') && !existsSync(join(root, next))) throw new Error(`${file}: ${specifier}`)
      found.set(next, [...path, next])
    }
  }
  return found
}

const pages = [
  'components/shell/shell.tsx',
  'components/shell/providers.tsx',
  'components/leases/list/lease-list.tsx',
  'components/attention/attention-page.tsx',
  'components/lease/lease-page.tsx',
  'components/door/sign-in-form.tsx',
  'components/lab/runs/lab-page.tsx',
  'components/lab/run/run-page.tsx',
]
const late = [
  'zod',
  '@base-ui/react/dialog',
  '@base-ui/react/menu',
  'components/release/release-dialog.tsx',
  'components/palette/palette-dialog.tsx',
  'components/history/history-section.tsx',
  'components/leases/list/export-dialog.tsx',
  'components/leases/no-rows/unknown-table.tsx',
]

it.each(pages)('%s shows itself without what is needed later', (page) => {
  const found = firstLoadOf(page)
  // Were the walk broken, it would find nothing late either.
  expect(found.size).toBeGreaterThan(4)
  for (const name of late) expect(found.get(name)?.join(' → ')).toBeUndefined()
})
