/** One page with all pictures of a folder: a row a state, its pictures beside each other. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `lease-held-1440-dark.png`: the state, the width in pixels, the colour scheme. */
const FILE = /^([\w-]+)-(\d+)-(dark|light)\.png$/

/** @param {string} folder holds the pictures; gets `index.html` */
export function writeIndex(folder) {
  /** @type {Map<string, string[]>} */
  const states = new Map()
  for (const file of readdirSync(folder).sort()) {
    const state = FILE.exec(file)?.[1]
    if (state !== undefined) states.set(state, [...(states.get(state) ?? []), file])
  }
  const rows = [...states].map(
    ([state, files]) =>
      `<h2>${state}</h2><p>${files.map((file) => `<a href="${file}"><img src="${file}" loading="lazy" alt="${file}"></a>`).join('')}</p>`,
  )
  const style =
    'body{font:14px sans-serif;background:#777}p{display:flex;gap:8px;align-items:start}img{height:320px}'
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Leasehold, all states</title><style>${style}</style>\n${rows.join('\n')}\n`,
  )
}
