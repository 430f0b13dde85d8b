'use client'

import { countText } from '../../../lib/client/time/time-text.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { useCopied } from '../../ui/control/use-copied.ts'

/** Copies the link of the run: it shows the same to all who are signed in, now and after the run has ended. */
export function ShareButton({ viewers }: { viewers: number | null }) {
  const { copied, said, copy } = useCopied('The link is copied')
  return (
    <>
      <button type="button" className="btn quiet" onClick={() => copy(location.origin + location.pathname)}>
        <Icon name={copied === true ? 'check' : 'share'} />
        Share{viewers !== null && viewers > 1 && `, ${countText(viewers)} watch`}
      </button>
      <span className={copied === false ? 'small' : 'vh'} role="status">
        {said}
      </span>
    </>
  )
}
