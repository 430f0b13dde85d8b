'use client'

import { Menu } from '@base-ui/react/menu'
import { useTheme } from 'next-themes'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import type { Session } from '../../../lib/contract/people/session.ts'
import { Icon } from '../../ui/control/icon.tsx'
import type { Early } from '../../ui/control/later.tsx'
import { useSignOut } from './use-sign-out.ts'
import { UserButton } from './user-button.tsx'

const themes = [
  { value: 'system', text: 'As the system' },
  { value: 'dark', text: 'Dark' },
  { value: 'light', text: 'Light' },
] as const

/** Who is signed in, the theme, and the way out. */
export function UserMenuOpen({ session, isPressed }: { session: Session } & Early) {
  const { theme, setTheme } = useTheme()
  const signOut = useSignOut()
  return (
    <Menu.Root defaultOpen={isPressed}>
      <Menu.Trigger render={<UserButton session={session} />} />
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-10">
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={theme} onValueChange={setTheme} aria-label="Theme">
              <div className="lab" aria-hidden="true">
                Theme
              </div>
              {themes.map(({ value, text }) => (
                <Menu.RadioItem key={value} value={value}>
                  <span className="check">{theme === value && <Icon name="check" />}</span>
                  {text}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <hr />
            {signOut.isError && (
              <p className="lab text-danger" role="alert">
                Not signed out. {errorWords(signOut.error).title}
              </p>
            )}
            <Menu.Item closeOnClick={false} onClick={() => signOut.mutate({ everywhere: false })}>
              <span className="check" />
              {signOut.isPending && !signOut.variables.everywhere ? 'Signing out…' : 'Sign out'}
            </Menu.Item>
            <Menu.Item closeOnClick={false} onClick={() => signOut.mutate({ everywhere: true })}>
              <span className="check" />
              {signOut.isPending && signOut.variables.everywhere ? 'Signing out…' : 'Sign out everywhere'}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
