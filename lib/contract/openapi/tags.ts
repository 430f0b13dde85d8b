/** The first segment of a path after `/v1/`, in the order of the reference. */
export const tags: readonly { name: string; segments: readonly string[]; description: string }[] = [
  {
    name: 'Locks',
    segments: ['locks'],
    description: 'Acquire, renew and release a lock, for one owner at a time.',
  },
  {
    name: 'Elections',
    segments: ['elections'],
    description: 'Campaign for a group, stay its leader, resign.',
  },
  { name: 'Queues', segments: ['queues'], description: 'The order in which waiters try for a fair lock.' },
  {
    name: 'Sequences',
    segments: ['sequences'],
    description: 'Numbers, each given once and greater than all before.',
  },
  {
    name: 'Leases',
    segments: ['leases', 'watch', 'resign-requests'],
    description: 'The leases in Cassandra, read at SERIAL, and their forced releases.',
  },
  {
    name: 'Releases',
    segments: ['releases'],
    description: 'The outcomes of forced releases, and approvals.',
  },
  {
    name: 'Session',
    segments: ['session', 'sso', 'setup'],
    description: 'People sign in, elevate and sign out.',
  },
  { name: 'Users', segments: ['users'], description: 'The people who may sign in.' },
  { name: 'Tokens', segments: ['tokens'], description: 'The tokens of programs.' },
  {
    name: 'Lab',
    segments: ['lab'],
    description: 'The election lab: runs of candidates that can be broken, and their journals.',
  },
  { name: 'Audit', segments: ['audit'], description: 'The audit log.' },
  {
    name: 'Console',
    segments: ['cluster', 'doctor', 'openapi.json', 'healthz', 'readyz', 'metrics'],
    description: 'The console itself, and the cluster behind it.',
  },
]

export function tagOf(path: string): string {
  const segment = path.split('/').filter((part) => part !== '' && part !== 'v1')[0] ?? ''
  const tag = tags.find(({ segments }) => segments.includes(segment))
  if (tag === undefined) throw new Error(`The path ${path} has no tag in the reference.`)
  return tag.name
}
