import type { Metadata } from 'next'
import { TokensPage } from '../../../../components/settings/tokens/tokens-page.tsx'
import { NotAllowed } from '../../../../components/shell/session/not-allowed.tsx'
import { endpoints } from '../../../../lib/contract/endpoints.ts'
import { requireSession } from '../../current-session.ts'
import { isAllowed } from '../../is-allowed.ts'
import { searchText } from '../../search-text.ts'

export const metadata: Metadata = { title: 'Tokens' }

export default async function AllTokensPage({ searchParams }: PageProps<'/settings/tokens'>) {
  await requireSession(`/settings/tokens${searchText(await searchParams)}`)
  return (await isAllowed(endpoints.listTokens)) ? (
    <TokensPage />
  ) : (
    <NotAllowed title="Tokens" permission={endpoints.listTokens.permission} />
  )
}
