/** What the tests of the structure share: the files of the project, what each imports, and which room that is. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

export const root = resolve(import.meta.dirname, '../..')
const isTest = (file: string) => /\.test\.tsx?$|\/test-[\w-]+\.ts$|^lib\/leasehold\/test\//.test(file)

/** Whatever their kind, without packages, and without what was built or begins with a dot. */
export const everyFileIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|dist|\.[^/]*)\//.test(file))

export function allFilesIn(folder: string): string[] {
  if (folder.endsWith('.ts')) return [folder]
  return everyFileIn(folder).filter((file) => /\.tsx?$/.test(file))
}

export const filesIn = (folder: string): string[] => allFilesIn(folder).filter((file) => !isTest(file))

/** A room is the part of a path that has rules of its own. */
export function roomOf(path: string): string {
  const parts = path.split('/')
  if (/^lib\/(leasehold|console)\//.test(path)) return parts.slice(0, 3).join('/')
  if (parts[0] === 'lib') return parts.slice(0, 2).join('/')
  return parts[0] as string
}

export function importsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  return [
    ...module.staticImports.map((statement) => statement.moduleRequest.value),
    ...module.staticExports.flatMap((statement) =>
      statement.entries.map((entry) => entry.moduleRequest?.value ?? ''),
    ),
    ...module.dynamicImports.map((expression) =>
      readFileSync(join(root, file), 'utf8').slice(
        expression.moduleRequest.start + 1,
        expression.moduleRequest.end - 1,
      ),
    ),
  ].filter((specifier) => specifier !== '')
}

export const library = 'lib/leasehold'
/** What applications import by the package's own name. */
export const facade = `${library}/index.ts`
export const server = 'lib/console'

/** Where an import leads: a room of ours, or a package by name. */
export function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return roomOf(relative(root, resolve(root, dirname(file), specifier)))
  if (specifier === 'leasehold') return facade
  if (/^leasehold\/./.test(specifier)) return `lib/${specifier}`
  return specifier.startsWith('node:') ? 'node' : specifier
}

export const text = (file: string) => readFileSync(join(root, file), 'utf8')
/** Without its comments. */
export const code = (file: string) => text(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
/** Each import of these folders. */
export const edgesOf = (folders: readonly string[]) =>
  folders.flatMap((room) =>
    filesIn(room).flatMap((file) =>
      importsOf(file).map((specifier) => ({ room, file, specifier, target: targetOf(file, specifier) })),
    ),
  )
