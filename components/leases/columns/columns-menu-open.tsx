'use client'

import { Menu } from '@base-ui/react/menu'
import { type Column, columns } from '../../../lib/client/view/columns.ts'
import { Icon } from '../../ui/control/icon.tsx'
import type { Early } from '../../ui/control/later.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { useColumns } from './use-columns.ts'

const words: Record<Column, string> = {
  owner: 'Owner',
  value: 'Value',
  time: 'Time left',
  held: 'Held for',
  version: 'Version',
  read: 'Read',
}

/** The columns, each to be shown or left out. A window that is too narrow for them leaves out more. */
export function ColumnsMenuOpen({ isPressed }: Early) {
  const { hidden, show } = useColumns()
  return (
    <Menu.Root defaultOpen={isPressed}>
      <Menu.Trigger render={<ColumnsButton />} />
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-10">
          <Menu.Popup className="menu">
            {columns.map((column) => {
              const isShown = !hidden.includes(column)
              return (
                <Menu.CheckboxItem
                  key={column}
                  checked={isShown}
                  closeOnClick={false}
                  onCheckedChange={(checked) => show(column, checked)}
                >
                  <span className="check">{isShown && <Icon name="check" />}</span>
                  {words[column]}
                </Menu.CheckboxItem>
              )
            })}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
