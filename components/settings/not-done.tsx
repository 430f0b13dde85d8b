import { mayHaveActed } from '../../lib/client/call/api-error.ts'
import { errorWords, type Words } from '../../lib/client/call/error-words.ts'
import { Say } from '../ui/text/say.tsx'

interface NotDoneProps {
  error: unknown
  /** What to say, and what to do, where the server may have done it although it failed. */
  doubt?: Words | undefined
}

const anyDoubt: Words = { title: 'This may have been done.', detail: 'Check before you try again.' }

/** The words for an error, which say so where the server may have acted. */
export function notDoneWords(error: unknown, doubt: Words = anyDoubt): Words {
  const words = errorWords(error)
  if (!mayHaveActed(error)) return words
  return { title: doubt.title, detail: `${words.title} ${doubt.detail}` }
}

/** Why something was not done, or may have been; nothing while there is no error. */
export function NotDone({ error, doubt }: NotDoneProps) {
  if (!error) return null
  const { title, detail } = notDoneWords(error, doubt)
  return (
    <Say tone="danger" icon="risk" title={title} role="alert">
      {detail}
    </Say>
  )
}
