import { expect, it } from 'vitest'
import { safeNext, signInPath } from './next-path.ts'

it.each([
  ['/leases/a%2Fb?release=1', '/leases/a%2Fb?release=1'],
  ['/?prefix=x', '/?prefix=x'],
  [undefined, '/'],
  ['', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example/', '/'],
  ['/.//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-in?next=/', '/'],
])('after signing in, next=%s leads to %s', (next, path) => {
  expect(safeNext(next)).toBe(path)
})

it('says that a session has ended, and whether that refused an act', () => {
  expect(signInPath('/', { ended: true })).toBe('/sign-in?ended=1')
  expect(signInPath('/?release=a', { ended: 'act' })).toBe('/sign-in?next=%2F%3Frelease%3Da&ended=act')
})

it('comes back to where one was', () => {
  expect(signInPath('/')).toBe('/sign-in')
  expect(safeNext(new URLSearchParams(signInPath('/leases/a%2Fb?x=1&y=2').split('?')[1]).get('next'))).toBe(
    '/leases/a%2Fb?x=1&y=2',
  )
})
