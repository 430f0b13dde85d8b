import { z } from 'zod'
import type { FollowUp } from '../../audit/recovery/recovery.ts'
import type { Sessions } from './sessions.ts'

const beforeSchema = z.object({ session: z.string() })

/**
 * What became of an elevation whose process ended. The row does not tell whether the elevation ended the session, or a
 * sign-out since: `unknown`. The row's version is noted, so that an older one cannot be put back.
 */
export const elevationFollowUp =
  (sessions: Pick<Sessions, 'versionNow'>): FollowUp =>
  async ({ before }) => {
    const key = beforeSchema.safeParse(before).data?.session
    if (key === undefined) return { outcome: 'unknown', after: null }
    const row = await sessions.versionNow(key)
    return { outcome: row.version === null ? 'unknown' : 'not-done', after: null, rows: [row] }
  }
