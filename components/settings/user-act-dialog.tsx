'use client'

import { DisableStep, EnableStep } from './access-step.tsx'
import { PasswordStep } from './password-step.tsx'
import { RoleStep } from './role-step.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import type { UserStepProps } from './user-step.tsx'

const steps = { role: RoleStep, password: PasswordStep, disable: DisableStep, enable: EnableStep }

/** What can be done to a user. */
export type UserAct = keyof typeof steps

export const userActs = Object.keys(steps) as UserAct[]

/** Changes one thing about one user, and says before what follows. */
export function UserActDialog({ act, ...props }: UserStepProps & { act: UserAct }) {
  const Step = steps[act]
  return (
    <SecretDialog open onClose={props.onClose} sticky={act === 'role' || act === 'password'}>
      <Step {...props} />
    </SecretDialog>
  )
}
