'use client'

import { type FormEvent, useState } from 'react'
import {
  nameProblem,
  pathOfView,
  queryOfView,
  savedViews,
  withoutView,
  withView,
} from '../../../lib/client/view/saved-views.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { Dialog, DialogHead } from '../../ui/control/dialog.tsx'
import { Field } from '../../ui/control/field.tsx'
import { Icon } from '../../ui/control/icon.tsx'
import { useUrlState } from '../address/use-url-state.ts'
import { useSavedViews } from './use-saved-views.ts'

/** Gives the present view a name, and forgets others. */
export function ViewsDialog({ onClose }: { onClose: () => void }) {
  const { params } = useUrlState()
  const views = useSavedViews()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const query = queryOfView(params)
  const isTaken = views.some((view) => view.name === name.trim())

  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    const why = nameProblem(views, wanted)
    setProblem(why)
    if (why !== null) return
    savedViews.change((kept) => withView(kept, { name: wanted, query }))
    setSaid(`Saved as ${wanted}.`)
    setName('')
  }
  const forget = (gone: string) => {
    savedViews.change((kept) => withoutView(kept, gone))
    setSaid(`Deleted ${gone}.`)
  }
  return (
    <Dialog open onClose={onClose} narrow>
      <DialogHead
        title="Saved views"
        lead="A view is its link: the filters, the order and the columns. This browser keeps the names."
      />
      <div className="body">
        <form onSubmit={save} className="pb-3">
          <Field
            id="view-name"
            label="Name of the present view"
            autoComplete="off"
            value={name}
            problem={problem ?? undefined}
            hint={isTaken ? 'This name is taken. To save replaces that view.' : undefined}
            onChange={(event) => {
              setName(event.target.value)
              setProblem(null)
            }}
          />
          <button type="submit" className="btn primary mt-3">
            Save the view
          </button>
        </form>
        <p role="status" className="mut">
          {said}
        </p>
        {views.length > 0 && (
          <ul className="pb-3" aria-label="Saved views">
            {views.map((view) => (
              <li key={view.name} className="flex items-center gap-2">
                <PageLink className="cut" href={pathOfView(view)}>
                  {view.name}
                </PageLink>
                <button
                  type="button"
                  className="btn quiet sm sq ml-auto"
                  aria-label={`Delete the view ${view.name}`}
                  onClick={() => forget(view.name)}
                >
                  <Icon name="cross" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
