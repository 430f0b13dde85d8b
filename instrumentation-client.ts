import { config } from 'zod'

// Before any schema is made: zod tries whether it may compile its parsers, which the page's policy forbids and reports.
config({ jitless: true })
