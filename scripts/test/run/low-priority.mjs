/**
 * `node --import …/low-priority.mjs`: leaves the processors to the tests that look at when things happen. Linux weighs
 * the groups of sessions first, if it makes such groups (`autogroup`), and the processes of a group only then.
 */
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const NICE = 5

try {
  setPriority(NICE)
  writeFileSync('/proc/self/autogroup', String(NICE))
} catch {
  // Not allowed, or not this system: then it runs as everything else does.
}
