/** Search parameters as Next hands them over. */
export type SearchParams = Record<string, string | string[] | undefined>

/** The same as they stood in the URL, with the question mark; nothing when there were none. */
export function searchText(params: SearchParams): string {
  const pairs = Object.entries(params).flatMap(([key, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [key, one]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** The first of a parameter's values. */
export const oneOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0]
