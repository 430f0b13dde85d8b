'use client'

import { Icon } from './icon.tsx'
import { useCopied } from './use-copied.ts'

interface CopyButtonProps {
  text: string
  label: string
  onCopied?: (() => void) | undefined
  /** -1 in a list, where one row at a time is reached by Tab. */
  tabIndex?: number | undefined
}

/** Copies a text. The tick is the answer; it is said too. */
export function CopyButton({ text, label, onCopied, tabIndex }: CopyButtonProps) {
  const { copied, said, copy } = useCopied()
  const press = async () => {
    if (await copy(text)) onCopied?.()
  }
  return (
    <>
      <button
        type="button"
        className="btn quiet sm sq"
        tabIndex={tabIndex}
        aria-label={label}
        title={label}
        onClick={press}
      >
        <Icon name={copied === null ? 'copy' : copied ? 'check' : 'cross'} />
      </button>
      <span className="vh" role="status">
        {said}
      </span>
    </>
  )
}
