/** Lamport’s ten steps, numbered as in the library’s bakery. */
export const stepWords = [
  { short: 'choosing := true', why: 'It raises its flag: others that see it wait until it has a number.' },
  { short: 'read all numbers', why: 'It looks who stands in the line.' },
  { short: 'mine := 1 + greatest', why: 'It takes one more than the greatest number that it read.' },
  { short: 'number := mine', why: 'It shows its number, for one TTL.' },
  { short: 'choosing := false', why: 'It lowers its flag.' },
  { short: 'read who is choosing', why: 'It looks for flags, before it looks at the numbers.' },
  { short: 'read all numbers', why: 'It looks who comes before it.' },
  { short: 'wait for choosers', why: 'One that still chooses may get a smaller number.' },
  {
    short: 'wait for smaller (number, id)',
    why: 'The smaller number goes first; with equal numbers the smaller id.',
  },
  { short: 'inside; then number := 0', why: 'It is served, alone, and leaves.' },
] as const
