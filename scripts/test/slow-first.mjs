import { BaseSequencer } from 'vitest/node'

/** They take a minute or more, and mostly wait. Vitest begins with the largest files; of these the last ones ended alone. */
const SLOW = [
  'console/test/permissions/permissions',
  'console/store/schema/migrate',
  'console/audit/chain/end/erased',
  'console/releases/test/release',
  'console/test/clients/clients',
  'console/watch/test/truth',
].map((path) => `/lib/${path}.integration.test.ts`)

export class SlowFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const isSlow = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) =>
      SLOW.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
