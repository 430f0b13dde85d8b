import { HttpProblem } from '../http/http-problem.ts'

/** Users whose rows were deleted past the console: none of them is made again without a decision at the server's shell. */
export function userDeleted(names: readonly string[]): HttpProblem {
  const shown = names.slice(0, 5).join(', ')
  const [first] = names
  return new HttpProblem(
    'user-deleted',
    `Something other than this console deleted or replaced the row of ${shown}${names.length > 5 ? ` and ${names.length - 5} more` : ''}. It is not restored automatically: it may have been disabled. On the server, run \`npm run user -- add ${first} --role ROLE --repair\`: docs/operations.md, “Rows past the console”.`,
  )
}
