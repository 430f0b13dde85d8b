/**
 * `node scripts/icons.mjs` draws the icons and the preview picture from public/icon.svg, and writes them beside it. They
 * are checked in: a browser is needed to draw them, and none to build.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'

const folder = resolve(import.meta.dirname, '../public')
const paths = readFileSync(join(folder, 'icon.svg'), 'utf8').match(/<path .*(?=<\/svg>)/)?.[0]
const mark = (/** @type {number} */ size) => `<svg width="${size}" viewBox="0 0 20 20">${paths}</svg>`
const ground = '#131617'
const ink = '#63d8cd'

/** @type {Record<string, { width: number, height: number, body: string, clear?: boolean }>} */
const pictures = {
  // A phone cuts its own shape out of a touch icon: the mark keeps clear of the edge.
  'apple-touch-icon.png': { width: 180, height: 180, body: mark(112) },
  'icon-192.png': { width: 192, height: 192, body: mark(112) },
  'icon-512.png': { width: 512, height: 512, body: mark(300) },
  'preview.png': {
    width: 1200,
    height: 630,
    body: `<div style="width:1000px"><p style="display:flex;gap:28px;align-items:center;font:600 84px system-ui;color:#e8ecec"><span style="color:${ink}">${mark(96)}</span>Leasehold</p>
      <p style="font:400 38px/54px system-ui;color:#a9b3b3;margin-top:36px">Who holds what, for how much longer,<br>and how certain that is.</p>
      <p style="position:relative;height:14px;margin-top:64px;border-radius:3px;background:#2a3032"><i style="position:absolute;inset:0 38% 0 0;border-radius:3px;background:${ink}"></i></p></div>`,
  },
}
const icoSizes = [16, 32, 48]

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || undefined,
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage()
  /** @param {{ width: number, height: number, body: string, clear?: boolean }} picture */
  const draw = async ({ width, height, body, clear }) => {
    await page.setViewportSize({ width, height })
    await page.setContent(
      `<style>*{margin:0}body{height:100vh;display:grid;place-content:center;color:${clear ? '#159a91' : ink};background:${clear ? 'transparent' : ground}}svg{display:block}</style>${body}`,
    )
    return page.screenshot({ omitBackground: clear ?? false })
  }
  for (const [name, picture] of Object.entries(pictures))
    writeFileSync(join(folder, name), await draw(picture))
  // On a tab of either colour, and without a style sheet of its own: a hue between the two.
  const images = []
  for (const size of icoSizes)
    images.push({ size, png: await draw({ width: size, height: size, body: mark(size), clear: true }) })
  writeFileSync(join(folder, 'favicon.ico'), icoOf(images))
} finally {
  await browser.close()
}

/** An .ico of PNGs: a header, an entry of 16 bytes an image, then the images. @param {{ size: number, png: Buffer }[]} images */
function icoOf(images) {
  const header = Buffer.alloc(6 + 16 * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let at = header.length
  for (const [index, { size, png }] of images.entries()) {
    const entry = 6 + 16 * index
    header.writeUInt8(size, entry)
    header.writeUInt8(size, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(png.length, entry + 8)
    header.writeUInt32LE(at, entry + 12)
    at += png.length
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}
