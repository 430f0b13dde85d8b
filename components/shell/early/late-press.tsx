'use client'

import { useEffect } from 'react'
import type { LatePress } from './early-press.ts'

/** Says that a press had no effect, until the next one. */
export function LatePressNotice({ press, onClose }: { press: LatePress; onClose: () => void }) {
  useEffect(() => {
    addEventListener('click', onClose, { once: true })
    return () => removeEventListener('click', onClose)
  }, [onClose])
  const { button, sends, seconds } = press
  return (
    <div className="late-press" role="alert">
      <p>
        <b>{sends ? 'Nothing was sent.' : 'Nothing was opened.'}</b> You pressed <i>{button}</i>
        {seconds > 0 && ` ${seconds} s`} before this page was ready.{' '}
        {sends ? 'What you typed is still there. Press it again.' : 'Press it again.'}
      </p>
      <button type="button" className="btn sm">
        Close
      </button>
    </div>
  )
}
