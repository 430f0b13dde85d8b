/** Which columns of the list are left out: as the page's URL says, else as this browser remembers. */
import { preference } from '../preference.ts'

/** The columns that can be left out, in their order. The name and the state always stand. */
export const columns = ['owner', 'value', 'time', 'held', 'version', 'read'] as const
export type Column = (typeof columns)[number]

/** Every choice, as a URL has it. The first one leaves nothing out. */
const choices = Array.from({ length: 2 ** columns.length }, (_, bits) =>
  textOf(columns.filter((_, i) => (bits & (1 << i)) !== 0)),
) as [string, ...string[]]

export const rememberedColumns = preference('leasehold-hidden-columns', choices)

function textOf(hidden: readonly Column[]): string {
  return hidden.join(',')
}

/**
 * The columns that are left out.
 * @param param `hide` of the URL; `none`: all are shown, whatever is remembered; null: what is remembered counts
 */
export function hiddenColumns(param: string | null, remembered: string): readonly Column[] {
  const asked = (param ?? remembered).split(',')
  return columns.filter((column) => asked.includes(column))
}

/** `hide` of the URL after a column was shown or left out. The link says all of it, whatever its reader's browser remembers. */
export function withColumn(hidden: readonly Column[], column: Column, isShown: boolean): string {
  return textOf(columns.filter((each) => (each === column ? !isShown : hidden.includes(each)))) || 'none'
}
