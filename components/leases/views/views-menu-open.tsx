'use client'

import { Menu } from '@base-ui/react/menu'
import { useRouter } from 'next/navigation'
import { pathOfView, queryOfView } from '../../../lib/client/view/saved-views.ts'
import { mayLeave } from '../../shell/page-link.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import type { Early } from '../../ui/control/later.tsx'
import { useUrlState } from '../address/use-url-state.ts'
import { useSavedViews } from './use-saved-views.ts'
import { ViewsButton } from './views-button.tsx'

/** Each saved view, and the way to save the present one. */
export function ViewsMenuOpen({ isPressed }: Early) {
  const { params, change } = useUrlState()
  const router = useRouter()
  const views = useSavedViews()
  const present = queryOfView(params)
  return (
    <Menu.Root defaultOpen={isPressed}>
      <Menu.Trigger render={<ViewsButton />} />
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-10">
          <Menu.Popup className="menu">
            {views.map((view) => (
              <Menu.Item key={view.name} onClick={() => mayLeave() && router.push(pathOfView(view))}>
                <span className="check">{view.query === present && <Icon name="check" />}</span>
                <span className="cut">{view.name}</span>
                {view.query === present && <span className="vh">, shown now</span>}
              </Menu.Item>
            ))}
            {views.length > 0 && <hr />}
            <Menu.Item onClick={() => change({ views: '1' })}>
              <span className="check" />
              {views.length === 0 ? 'Save this view…' : 'Save this view, or delete one…'}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
