import { redirect } from 'next/navigation'
import { searchText } from '../search-text.ts'

/** Where people look for the doctor. Its page checks who asks. */
export default async function DoctorAddress({ searchParams }: PageProps<'/doctor'>) {
  redirect(`/settings/doctor${searchText(await searchParams)}`)
}
