import { mountAll } from '../../lib/console/start/mount.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mountAll()
export const dynamic = 'force-dynamic'
