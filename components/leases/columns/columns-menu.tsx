'use client'

import { laterBehind } from '../../ui/control/later.tsx'
import { ColumnsButton } from './columns-button.tsx'

/** Which columns the list shows. */
export const ColumnsMenu = laterBehind(
  ColumnsButton,
  async () => (await import('./columns-menu-open.tsx')).ColumnsMenuOpen,
)
