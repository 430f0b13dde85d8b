import { redirect } from 'next/navigation'
import { searchText } from '../search-text.ts'

/** Where people look for the list, since a lease is at `/leases/NAME`. The list checks who asks. */
export default async function LeasesAddress({ searchParams }: PageProps<'/leases'>) {
  redirect(`/${searchText(await searchParams)}`)
}
