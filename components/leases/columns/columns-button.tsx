import type { ComponentProps } from 'react'
import { Icon } from '../../ui/control/icon.tsx'

/** Where the key `v` finds it. */
export const columnsButtonId = 'columns'

/** Opens the menu of the columns. */
export function ColumnsButton(props: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-keyshortcuts="v"
      title="Key v"
      {...props}
      className="btn quiet x-wide"
      id={columnsButtonId}
    >
      <Icon name="columns" />
      Columns
    </button>
  )
}
