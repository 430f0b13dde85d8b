'use client'

import { laterBehind } from '../../ui/control/later.tsx'
import { ViewsButton } from './views-button.tsx'

/** The saved views of the list. */
export const ViewsMenu = laterBehind(
  ViewsButton,
  async () => (await import('./views-menu-open.tsx')).ViewsMenuOpen,
)
