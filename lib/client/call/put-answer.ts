import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Puts what an act was answered with in the place of what is known. A read that is under way would bring back what was before. */
export function putAnswer(client: QueryClient, queryKey: QueryKey, answer: unknown): void {
  client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, answer)
}
