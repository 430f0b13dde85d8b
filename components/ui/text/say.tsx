import type { ReactNode } from 'react'
import { Icon, type IconName } from '../control/icon.tsx'

type Tone = 'plain' | 'warn' | 'danger' | 'ok' | 'hold'

const toneClass: Record<Tone, string> = {
  plain: ' calm',
  warn: ' warn',
  danger: ' danger-c',
  ok: ' ok',
  hold: ' hold-c',
}

interface SayProps {
  tone?: Tone
  icon?: IconName
  /** What is. */
  title: ReactNode
  /** What follows, and what to do. */
  children?: ReactNode
  role?: 'alert' | 'status'
  id?: string
}

/** A sentence of the console's own, on the page where it belongs. Never a toast. */
export function Say({ tone = 'plain', icon = 'info', title, children, role, id }: SayProps) {
  return (
    <div className={`say${toneClass[tone]}`} role={role} id={id}>
      <Icon name={icon} />
      <div>
        <p>
          <b>{title}</b>
        </p>
        {children && <div className="mut">{children}</div>}
      </div>
    </div>
  )
}
