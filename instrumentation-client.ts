/**
 * Before any schema is made: zod tries whether it may compile its parsers, which the page's policy forbids and reports.
 * zod keeps its settings here; its `config()` would bring 5 kB of zod to every page, gzipped.
 */
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
shared.__zod_globalConfig ??= {}
shared.__zod_globalConfig.jitless = true

export {}
