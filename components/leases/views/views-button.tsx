import type { ComponentProps } from 'react'
import { Icon } from '../../ui/control/icon.tsx'

/** Opens the menu of the saved views. */
export function ViewsButton(props: ComponentProps<'button'>) {
  return (
    <button type="button" aria-haspopup="menu" {...props} className="btn quiet x-wide">
      <Icon name="eye" />
      Views
    </button>
  )
}
