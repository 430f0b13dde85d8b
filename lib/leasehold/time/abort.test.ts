import { afterEach, expect, it, vi } from 'vitest'
import { onAbort } from './abort.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a listener that throws does not keep the signal from the others; its error is thrown after them', () => {
  const later: (() => void)[] = []
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => void later.push(task))
  const controller = new AbortController()
  const ran: string[] = []
  onAbort(controller.signal, () => ran.push('first'))
  onAbort(controller.signal, () => {
    throw new Error('of the second')
  })
  onAbort(controller.signal, () => ran.push('third'))
  controller.abort()
  expect(ran).toEqual(['first', 'third'])
  expect(later).toHaveLength(1)
  expect(later[0]).toThrow('of the second')
})

it('a listener that was taken back is not called', () => {
  const controller = new AbortController()
  const work = vi.fn()
  onAbort(controller.signal, work)()
  controller.abort()
  expect(work).not.toHaveBeenCalled()
})

it('a listener was called that an earlier one of the same abort had taken back', () => {
  const controller = new AbortController()
  const ran: string[] = []
  onAbort(controller.signal, () => {
    ran.push('first')
    takeBack()
  })
  const takeBack = onAbort(controller.signal, () => ran.push('second'))
  onAbort(controller.signal, () => ran.push('third'))
  controller.abort()
  expect(ran).toEqual(['first', 'third'])
})
