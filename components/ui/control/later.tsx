'use client'

import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react'

/** How long after a failed fetch it is tried again, while the part is wanted. */
const againMs = 1000
/** How long code may take before the page says that it loads. */
const longMs = 600

const touches = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
const awaited = new Set<() => void>()
let isTouched = false

function touched(): void {
  isTouched = true
  for (const type of touches) removeEventListener(type, touched)
  for (const run of awaited) run()
  awaited.clear()
}

/** Runs `run` when the reader first moves the pointer over this page, types, or focuses something. */
function atFirstTouch(run: () => void): void {
  if (typeof window === 'undefined') return
  if (isTouched) {
    run()
    return
  }
  if (awaited.size === 0) for (const type of touches) addEventListener(type, touched, { passive: true })
  awaited.add(run)
}

/** A part of the page whose code is fetched at the reader's first touch: before it is asked for, and never for a screen on the wall. */
class LatePart<P> {
  readonly #load: () => Promise<ComponentType<P>>
  readonly #listeners = new Set<() => void>()
  #isLoading = false
  part: ComponentType<P> | null = null

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load
    atFirstTouch(this.fetch)
  }

  readonly fetch = async (): Promise<void> => {
    if (this.part !== null || this.#isLoading) return
    this.#isLoading = true
    try {
      this.part = await this.#load()
      for (const changed of this.#listeners) changed()
    } catch {
      // The server is silent, and the page says so. Where the part is wanted it is asked for again.
    } finally {
      this.#isLoading = false
    }
  }

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** The part, once it is here. `isWanted`: fetch it now, and again until it comes. */
  use(isWanted: boolean): ComponentType<P> | null {
    const part = useSyncExternalStore(
      this.subscribe,
      () => this.part,
      () => null,
    )
    useEffect(() => {
      if (!isWanted || part !== null) return
      this.fetch()
      const again = setInterval(this.fetch, againMs)
      return () => clearInterval(again)
    }, [isWanted, part])
    return part
  }
}

/** Said only when the code takes long: what was pressed is on its way. */
function Loading() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="status" className={isLong ? 'loading' : undefined}>
      {isLong && 'Loading…'}
    </p>
  )
}

/**
 * A component that is drawn once its code is here, such as a dialog.
 * @example const HelpDialog = later(async () => (await import('./help-dialog.tsx')).HelpDialog)
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const late = new LatePart(load)
  return function Later(props: P) {
    const Part = late.use(true)
    return Part ? <Part {...props} /> : <Loading />
  }
}

/** Runs `run` when the pointer is up again, after the click that comes with it. */
function afterRelease(run: () => void): void {
  const stop = new AbortController()
  const up = () => {
    stop.abort()
    setTimeout(run)
  }
  for (const type of ['pointerup', 'pointercancel'] as const)
    addEventListener(type, up, { signal: stop.signal })
}

/** What a component gets that stood in for another. */
export interface Early {
  /** The stand-in was pressed before the code was here: what it opens is opened at once. */
  isPressed: boolean
}

/**
 * A component whose button is there at once, as `Before` draws it. The code is fetched at the reader's first
 * touch; a press that was earlier is made up for, and the focus stays on the button.
 */
export function laterBehind<P extends object>(
  Before: ComponentType<P>,
  load: () => Promise<ComponentType<P & Early>>,
): ComponentType<P> {
  const late = new LatePart(load)
  return function LaterBehind(props: P) {
    const [isPressed, setPressed] = useState(false)
    const [isDown, setDown] = useState(false)
    const hadFocus = useRef(false)
    const place = useRef<HTMLSpanElement>(null)
    const loaded = late.use(isPressed)
    // A button that is replaced between going down and coming up is never clicked.
    const Part = isDown ? null : loaded
    useEffect(() => {
      if (Part !== null && hadFocus.current && !isPressed)
        place.current?.querySelector<HTMLElement>('button')?.focus()
    }, [Part, isPressed])
    if (Part)
      return (
        <span className="contents" ref={place}>
          <Part {...props} isPressed={isPressed} />
        </span>
      )
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: it listens to the button inside of it
      // biome-ignore lint/a11y/useKeyWithClickEvents: a button is pressed by its keys as well
      <span
        className="contents"
        onPointerDown={() => {
          setDown(true)
          afterRelease(() => setDown(false))
        }}
        onClick={() => setPressed(true)}
        onFocus={() => {
          hadFocus.current = true
        }}
        onBlur={() => {
          hadFocus.current = false
        }}
      >
        <Before {...props} />
      </span>
    )
  }
}
