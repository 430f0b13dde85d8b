import { type StoredValue, storedValue } from './stored-value.ts'

/** A choice that this browser remembers. The first one holds until another is made. */
export const preference = <T extends string>(key: string, allowed: readonly [T, ...T[]]): StoredValue<T> =>
  storedValue(
    key,
    (text) => allowed.find((value) => value === text) ?? allowed[0],
    (value) => value,
  )
