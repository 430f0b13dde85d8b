import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { animatedPng } from './animated-png.mjs'

const frameMs = 500
/** Shown before the crash, and after the takeover. */
const aroundMs = 2_500
/** The last frame stands for so long. */
const restMs = 3_000
/** Of the moving picture: it is loaded with the README. */
const mostBytes = 1_500_000

/**
 * lab.png: the run of the crash story when it has ended. lab-takeover.png: its lanes from before the crash until after the
 * takeover, in the time that it took, replayed from the journal of the same run.
 *
 * @param {import('@playwright/test').Page} page signed in
 * @param {string} url
 * @param {string} folder
 */
export async function takeLab(page, url, folder) {
  await page.goto(`${url}/lab`)
  await page.getByRole('button', { name: 'Start: Crash and takeover', exact: true }).click()
  await page.getByText('The story has ended').waitFor({ timeout: 180_000 })
  await page.getByRole('region', { name: 'Verdict' }).getByRole('listitem').first().waitFor()
  await page.mouse.move(720, 890)
  await page.screenshot({ path: join(folder, 'lab.png') })

  const run = new URL(page.url()).pathname.split('/')[2]
  await page.getByRole('button', { name: 'End run' }).click()
  await page.getByText('This run has ended.').waitFor()
  const answer = await page.request.get(`${url}/v1/lab/runs/${run}`)
  const { entries } = await answer.json()
  const crash = entries.find((/** @type {{ fault?: string }} */ { fault }) => fault === 'crashed')
  const takeover = entries.find(
    (/** @type {{ kind: string, atMs: number }} */ { kind, atMs }) => kind === 'leads' && atMs > crash.atMs,
  )

  const head = await page.getByRole('region', { name: 'The leader' }).boundingBox()
  const lanes = await page.getByRole('table', { name: 'Candidates against time' }).boundingBox()
  if (head === null || lanes === null) throw new Error('The lanes are not to be seen.')
  const clip = { x: head.x - 16, y: head.y - 12, width: head.width + 32, height: 0 }
  clip.height = lanes.y + lanes.height + 8 - clip.y
  const slider = page.getByRole('slider', { name: 'Time of the run' })
  const frames = []
  for (let atMs = crash.atMs - aroundMs; atMs <= takeover.atMs + aroundMs; atMs += frameMs) {
    // The slider has tenths of a second.
    await slider.fill(String(Math.round(atMs / 100)))
    frames.push({ png: await page.screenshot({ clip }), ms: frameMs })
  }
  const last = frames.at(-1)
  if (last !== undefined) last.ms = restMs
  const moving = animatedPng(frames)
  if (moving.length > mostBytes)
    throw new Error(`lab-takeover.png has ${moving.length} bytes; ${mostBytes} are the most.`)
  writeFileSync(join(folder, 'lab-takeover.png'), moving)
}
