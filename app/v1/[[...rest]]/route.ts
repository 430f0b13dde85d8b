import { mountAll } from '../../../lib/console/mount.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mountAll()
export const dynamic = 'force-dynamic'
