'use client'

import { laterBehind } from '../../ui/control/later.tsx'
import { UserButton } from './user-button.tsx'

/** Who is signed in, the theme, and the way out. */
export const UserMenu = laterBehind(
  UserButton,
  async () => (await import('./user-menu-open.tsx')).UserMenuOpen,
)
