'use client'

import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

interface CopyButtonProps {
  text: string
  label: string
  onCopied?: (() => void) | undefined
  /** -1 in a list, where one row at a time is reached by Tab. */
  tabIndex?: number | undefined
}

/** Copies a text. The tick is the answer; it is said too. */
export function CopyButton({ text, label, onCopied, tabIndex }: CopyButtonProps) {
  const [copied, setCopied] = useState<boolean | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        onCopied?.()
      },
      () => setCopied(false),
    )
  return (
    <>
      <button
        type="button"
        className="btn quiet sm sq"
        tabIndex={tabIndex}
        aria-label={label}
        title={label}
        onClick={copy}
      >
        <Icon name={copied === null ? 'copy' : copied ? 'check' : 'cross'} />
      </button>
      <span className="vh" role="status">
        {copied === null ? '' : copied ? 'Copied' : 'The browser did not allow copying'}
      </span>
    </>
  )
}
