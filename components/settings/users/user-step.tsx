import type { User } from '../../../lib/contract/people/user.ts'

/** What every step that changes a user gets. */
export interface UserStepProps {
  user: User
  /** It is oneself. */
  own: boolean
  /** Why nothing can be changed now; null: it can. */
  lock: string | null
  onClose: () => void
}

export const UserName = ({ user }: { user: User }) => <bdi className="mono">{user.username}</bdi>
