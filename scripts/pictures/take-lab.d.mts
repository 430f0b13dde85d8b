import type { Page } from '@playwright/test'

/** Writes lab.png and lab-takeover.png. `page`: signed in, of a person who has no run. */
export function takeLab(page: Page, url: string, folder: string): Promise<void>
