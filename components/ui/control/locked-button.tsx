import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface LockedButtonProps extends ComponentProps<'button'> {
  icon?: IconName
  /** Why it cannot be pressed now; null: it can. */
  lock: string | null
}

/** A button that stays in its place when it is locked: dashed, focusable, with the reason. */
export function LockedButton({ lock, icon, onClick, children, className, ...props }: LockedButtonProps) {
  if (lock !== null)
    return (
      <button {...props} type="button" className={className} aria-disabled="true" title={`Locked: ${lock}`}>
        <Icon name="lock" />
        {children}
        <span className="vh">, locked: {lock}</span>
      </button>
    )
  return (
    <button {...props} type="button" className={className} onClick={onClick}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
