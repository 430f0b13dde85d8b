'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { DialogLead, DialogTitle } from '../ui/dialog.tsx'

/** What became of a release is told in the dialog, and on its permalink's page, where there is no dialog to be named. */
export const OnPage = createContext(false)

/** What is, in one sentence, and what follows from it. Said aloud when it changes. */
export function ResultHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  const onPage = useContext(OnPage)
  return (
    <div role="status">
      {onPage ? <h2 className="result">{title}</h2> : <DialogTitle>{title}</DialogTitle>}
      {children && (onPage ? <p className="mut">{children}</p> : <DialogLead>{children}</DialogLead>)}
    </div>
  )
}
