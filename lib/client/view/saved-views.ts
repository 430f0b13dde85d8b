/**
 * Views of the list that a person gave a name, kept in this browser. A saved view is the query of the list's URL: to open it
 * is to open that link.
 */
import { storedValue } from '../stored-value.ts'

/** A named view. */
export interface SavedView {
  name: string
  /** As a URL has it, without the question mark. Empty: the list as it comes. */
  query: string
}

const key = 'leasehold-saved-views'
const nameMax = 60
export const viewsMax = 50

/** What a view is: neither an open dialog nor a place in the list. */
const viewParams = ['table', 'prefix', 'q', 'owner', 'state', 'sort', 'order', 'hide'] as const

/** The part of the URL's query that is the view, always in the same order. */
export function queryOfView(params: Pick<URLSearchParams, 'get'>): string {
  const kept = viewParams.flatMap((name) => {
    const value = params.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(kept).toString()
}

export const pathOfView = ({ query }: SavedView): string => (query === '' ? '/' : `/?${query}`)

/** Under a name that is taken, the new view takes the place of the old one. By their names. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...withoutView(views, view.name), view].sort((one, other) => one.name.localeCompare(other.name))

export const withoutView = (views: readonly SavedView[], name: string): SavedView[] =>
  views.filter((view) => view.name !== name)

/** Why a view cannot be saved under this name; null: it can. */
export function nameProblem(views: readonly SavedView[], name: string): string | null {
  if (name.trim() === '') return 'A view needs a name.'
  if (name.length > nameMax) return `The name has ${name.length} characters; ${nameMax} are allowed.`
  const isNew = views.every((view) => view.name !== name)
  return isNew && views.length >= viewsMax ? `${viewsMax} views are saved. Delete one first.` : null
}

/** What a browser has stored: it may be of another version, or have been changed by hand. */
export function viewsIn(text: string | null): SavedView[] {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '[]')
  } catch {
    return []
  }
  if (!Array.isArray(stored)) return []
  return stored.slice(0, viewsMax).reduce<SavedView[]>((views, each) => {
    const { name, query } = (each ?? {}) as { name?: unknown; query?: unknown }
    if (typeof name !== 'string' || typeof query !== 'string' || nameProblem(views, name) !== null)
      return views
    return withView(views, { name, query: queryOfView(new URLSearchParams(query)) })
  }, [])
}

const stored = storedValue<readonly SavedView[]>(key, viewsIn, (views) => JSON.stringify(views))
const none: readonly SavedView[] = []

/** The views that this browser keeps, shared by all components that show them. */
export const savedViews = {
  read: stored.read,
  /** On the server there are none. */
  none: (): readonly SavedView[] => none,
  /** `next` gets the views as they are stored now: another tab may have saved one that is not shown here yet. */
  change: (next: (views: readonly SavedView[]) => readonly SavedView[]): void =>
    stored.write(next(stored.read())),
  subscribe: stored.subscribe,
}
