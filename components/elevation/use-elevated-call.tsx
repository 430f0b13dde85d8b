'use client'

import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { codeOf, mayHaveActed } from '../../lib/client/call/api-error.ts'
import { ElevateDialog } from './elevate-dialog.tsx'
import { useElevation } from './use-elevation.ts'

interface ElevatedCall<Input, Answer> {
  /** Calls, after an elevation if there is none; a second time while it is under way does nothing. */
  submit: (input: Input) => void
  busy: boolean
  /** Sent, and not answered yet. */
  isPending: boolean
  /** What was sent last. */
  input: Input | undefined
  /** null: none, or one for which the elevation is being asked. */
  error: unknown
  answer: Answer | undefined
  /** The server may have done it: nothing is sent again. Only with `onDoubt`. */
  inDoubt: boolean
  /** Forgets the last error. */
  reset: () => void
  /** The elevation's dialog: render it inside of the dialog that submits. */
  asking: ReactNode
}

/**
 * A call that needs an elevation. It is asked for in place, and what was being done goes on after it. The server
 * decides: an elevation that has ended meanwhile is asked for again.
 * @param onDoubt for a call that must not be made twice: called when it may have been done although it failed
 */
export function useElevatedCall<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void,
  onDoubt?: () => void,
): ElevatedCall<Input, Answer> {
  const { isKnown, isElevated } = useElevation()
  const [waiting, setWaiting] = useState<{ input: Input } | null>(null)
  // State would be too late: a second submit comes before the first one is rendered.
  const sent = useRef(false)
  // The elevation's answer may come after the reader has left this page. React renders the hook no more then, so that `waiting` is
  // still set in the dialog's callback: without this the call would be sent.
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (error, input) => {
      if (onDoubt !== undefined && mayHaveActed(error)) {
        onDoubt()
        return
      }
      sent.current = false
      if (codeOf(error) === 'elevation-needed') setWaiting({ input })
    },
  })
  const go = (input: Input) => {
    if (sent.current || isLeft.current) return
    sent.current = true
    mutation.mutate(input)
  }
  return {
    // A page that was just opened may not know yet.
    submit: (input) => (isKnown && !isElevated ? setWaiting({ input }) : go(input)),
    busy: mutation.isPending || mutation.isSuccess,
    isPending: mutation.isPending,
    input: mutation.variables,
    error: waiting === null ? mutation.error : null,
    answer: mutation.data,
    inDoubt: onDoubt !== undefined && mayHaveActed(mutation.error),
    reset: () => {
      if (!sent.current) mutation.reset()
    },
    asking: (
      <ElevateDialog
        open={waiting !== null}
        onClose={() => setWaiting(null)}
        onElevated={() => {
          setWaiting(null)
          if (waiting !== null) go(waiting.input)
        }}
      />
    ),
  }
}
