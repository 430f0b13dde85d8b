import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { alikeNames, RowName } from './row-name.tsx'

describe('names that look alike when what leads to their leaves is shortened', () => {
  it('are those of one leaf', () => {
    const names = ['tenants/a-1/leader', 'tenants/a-2/leader', 'tenants/a-1/follower', 'leader']
    expect([...alikeNames(names)].sort()).toEqual(['leader', 'tenants/a-1/leader', 'tenants/a-2/leader'])
  })

  it('are those of leaves that differ where they are cut', () => {
    const leaf = (middle: string) => `${'x'.repeat(40)}${middle}${'y'.repeat(40)}`
    expect(alikeNames([`a/${leaf('1')}`, `b/${leaf('2')}`]).size).toBe(2)
    expect(alikeNames([`a/${leaf('1')}`, `b/${leaf('2')}z`]).size).toBe(0)
  })

  it('does not count one name twice', () => {
    expect(alikeNames(['a/leader', 'a/leader'])).toEqual(new Set())
  })
})

it('a name that is shown whole has no part that gives way', () => {
  const markup = (isWhole: boolean) =>
    renderToStaticMarkup(<RowName name="tenants/a-1/leader" isWhole={isWhole} />)
  expect(markup(false)).toContain('lead')
  expect(markup(true)).not.toContain('class="dim lead"')
  expect(markup(true)).toContain('whole')
})
