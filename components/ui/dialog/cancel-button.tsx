'use client'

import { useLayoutEffect } from 'react'
import { useDialogHold } from './holding-dialog.tsx'

interface CancelButtonProps {
  /** A request is under way whose answer only this dialog shows. It ends: each request has a time limit. */
  keeps: boolean
  onClose: () => void
}

const why = 'This stays open until the answer arrives.'

/** The way out of a form in a `HoldingDialog`. A request that was sent cannot be taken back: the dialog waits for its answer. */
export function CancelButton({ keeps, onClose }: CancelButtonProps) {
  const { hold, asks, ask } = useDialogHold()
  useLayoutEffect(() => {
    if (!keeps) return
    hold(true)
    return () => hold(false)
  }, [keeps, hold])
  return (
    <>
      {keeps && asks && (
        <p className="small mut" role="status">
          {why}
        </p>
      )}
      <button
        type="button"
        className="btn push"
        aria-disabled={keeps || undefined}
        title={keeps ? why : undefined}
        onClick={keeps ? ask : onClose}
      >
        Cancel
      </button>
    </>
  )
}
