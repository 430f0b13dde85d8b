'use client'

import { type Role, roles } from '../../../lib/contract/people/rights.ts'
import { ChoiceCards } from '../choice-cards.tsx'
import { roleWords } from './role-words.ts'

interface RoleChoiceProps {
  value: Role
  onChange: (role: Role) => void
}

export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  return (
    <ChoiceCards
      legend="Role"
      name="role"
      choices={roles.map((role) => ({ value: role, title: role, text: roleWords[role] }))}
      value={value}
      onChange={onChange}
    />
  )
}
