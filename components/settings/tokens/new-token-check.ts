import { type NewToken, newTokenSchema } from '../../../lib/contract/programs/token.ts'
import type { Prefixes } from './prefix-list.tsx'

type CheckedToken =
  | { ok: true; body: NewToken }
  | { ok: false; name: string | undefined; prefixes: Record<number, string>; tables: string | undefined }

/**
 * What is wrong, by field, in the contract's own sentences; and that an empty prefix does not say "every name" here.
 * @param tablesText ids of tables, with commas between them
 */
export function checkToken(
  name: string,
  role: NewToken['role'],
  { every, fields }: Prefixes,
  tablesText: string,
): CheckedToken {
  const tables = tablesText.split(',').map((id) => id.trim())
  const prefixes = every ? [''] : fields.map(({ text }) => text)
  const parsed = newTokenSchema.safeParse({ name, role, prefixes, tables })
  const problems: Record<number, string> = {}
  if (!every)
    for (const [index, text] of prefixes.entries())
      if (text === '') problems[index] = 'Enter a prefix, or choose “Every name”.'
      else if (prefixes.indexOf(text) < index) problems[index] = 'This prefix is already in the list.'
  for (const { path, message } of parsed.error?.issues ?? [])
    if (path[0] === 'prefixes' && typeof path[1] === 'number') problems[path[1]] ??= message
  const nameIssue = parsed.error?.issues.find(({ path }) => path[0] === 'name')?.message
  const tablesIssue = parsed.error?.issues.find(({ path }) => path[0] === 'tables')?.message
  return parsed.success && Object.keys(problems).length === 0
    ? { ok: true, body: parsed.data }
    : { ok: false, name: nameIssue, prefixes: problems, tables: tablesIssue }
}
