import { errorWords } from '../../../lib/client/call/error-words.ts'
import { Say } from '../text/say.tsx'

interface NotReadProps {
  error: unknown
  /** "The log", "The list of users". */
  what: string
  /** Something is shown, which was read before. */
  shown: boolean
  rhythmMs: number
}

/** What the page shows could not be read. It goes on trying; nothing has to be done. */
export function NotRead({ error, what, shown, rhythmMs }: NotReadProps) {
  const { title, detail } = errorWords(error)
  return (
    <div className="mt-3">
      <Say
        tone={shown ? 'warn' : 'danger'}
        icon={shown ? 'stale' : 'risk'}
        title={shown ? `${what} could not be read again. ${title}` : title}
        role="alert"
      >
        {detail} {shown ? 'The page shows what was read last.' : `${what} could not be read yet.`} The page
        tries again every {rhythmMs / 1000} s.
      </Say>
    </div>
  )
}
