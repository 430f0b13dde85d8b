import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { putAnswer } from './put-answer.ts'

it('the answer of an act stays, also when a read from before it is answered later', async () => {
  const client = new QueryClient()
  const queryKey = ['release']
  const answers: ((text: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY })
  const end = observer.subscribe(() => {})
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.('awaiting approval')
  await expect.poll(() => observer.getCurrentResult().data).toBe('awaiting approval')
  observer.refetch()
  await expect.poll(() => answers.length).toBe(2)
  putAnswer(client, queryKey, 'released')
  answers[1]?.('awaiting approval')
  await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe('idle')
  expect(observer.getCurrentResult()).toMatchObject({ data: 'released', error: null })
  end()
  client.clear()
})
