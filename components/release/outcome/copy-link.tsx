'use client'

import { releasePath } from '../../../lib/contract/path.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { useCopied } from '../../ui/control/use-copied.ts'

/** Copies the permalink, to be pasted where the others are. The button itself says that it did. */
export function CopyLink({ id, text }: { id: string; text: string }) {
  const { copied, said, copy } = useCopied()
  return (
    <>
      <button type="button" className="btn quiet sm" onClick={() => copy(location.origin + releasePath(id))}>
        <Icon name={copied === null ? 'link' : copied ? 'check' : 'cross'} />
        <span className="link-word">{text}</span>
      </button>
      <span className="vh" role="status">
        {said}
      </span>
    </>
  )
}
