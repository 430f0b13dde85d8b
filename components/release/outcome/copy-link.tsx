'use client'

import { useEffect, useState } from 'react'
import { releasePath } from '../../../lib/contract/path.ts'
import { Icon } from '../../ui/control/icon.tsx'

/** Copies the permalink, to be pasted where the others are. The button itself says that it did. */
export function CopyLink({ id, text }: { id: string; text: string }) {
  const [copied, setCopied] = useState<boolean | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard.writeText(location.origin + releasePath(id)).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <>
      <button type="button" className="btn quiet sm" onClick={copy}>
        <Icon name={copied === null ? 'link' : copied ? 'check' : 'cross'} />
        <span className="link-word">{text}</span>
      </button>
      <span className="vh" role="status">
        {copied === null ? '' : copied ? 'Copied' : 'The browser did not allow copying'}
      </span>
    </>
  )
}
