/** Variables that hold a secret; each may also be given as a file, `…_FILE`. */
export const SECRET_VARIABLES: readonly string[]
