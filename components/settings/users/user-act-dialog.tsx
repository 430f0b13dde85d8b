'use client'

import { HoldingDialog } from '../../ui/dialog/holding-dialog.tsx'
import { PasswordStep } from '../password/password-step.tsx'
import { DisableStep, EnableStep } from './access-step.tsx'
import { RoleStep } from './role-step.tsx'
import type { UserStepProps } from './user-step.tsx'

const steps = { role: RoleStep, password: PasswordStep, disable: DisableStep, enable: EnableStep }

/** What can be done to a user. */
export type UserAct = keyof typeof steps

export const userActs = Object.keys(steps) as UserAct[]

interface UserActDialogProps extends UserStepProps {
  act: UserAct
  /** A secret is shown: the dialog has to stay. */
  onHold: (on: boolean) => void
}

/** Changes one thing about one user, and says before what follows. */
export function UserActDialog({ act, onHold, ...props }: UserActDialogProps) {
  const Step = steps[act]
  return (
    <HoldingDialog open onClose={props.onClose} sticky={act === 'role' || act === 'password'} onHold={onHold}>
      <Step {...props} />
    </HoldingDialog>
  )
}
