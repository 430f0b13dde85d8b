import { errorWords } from '../../lib/client/error-words.ts'
import { Say } from '../ui/say.tsx'

/** Why something was not done; nothing while there is no error. */
export function NotDone({ error }: { error: unknown }) {
  if (!error) return null
  const { title, detail } = errorWords(error)
  return (
    <Say tone="danger" icon="risk" title={title} role="alert">
      {detail}
    </Say>
  )
}
