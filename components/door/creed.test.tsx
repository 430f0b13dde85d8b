import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Creed } from './creed.tsx'

it('an outline is what a scan saw too, and a hatch what is old too, as the legend of the list says', () => {
  const forms = [...renderToStaticMarkup(createElement(Creed)).matchAll(/<li>(.*?)<\/li>/g)].map(([, form]) =>
    form?.replace(/<[^>]*>/g, ' '),
  )
  expect(forms.find((form) => form?.includes('Outline'))).toMatch(/Not confirmed: a scan saw it, or/)
  expect(forms.find((form) => form?.includes('Hatched'))).toMatch(/Not known now: .* too old/)
})
