/** The library's owner ids: `host:pid:random:n`. */
const pattern = /^[^:]+:\d+:[0-9a-f]{12}:[0-9a-z]+$/

/**
 * Whether an owner has the shape of the library's own ids. Such a holder renews by itself; of any other that is known only
 * once a renewal was seen.
 */
export const isLibraryOwner = (owner: string | null): boolean => owner !== null && pattern.test(owner)
