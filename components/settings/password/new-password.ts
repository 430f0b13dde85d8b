/** Without what is taken for something else when read aloud or typed: 0 O, 1 l I. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const generatedLength = 20

const browserBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/**
 * A random password: 20 characters of 56, about 116 bits.
 * @param bytes random bytes, uniformly distributed
 */
export function newPassword(bytes: (count: number) => Uint8Array = browserBytes): string {
  // Bytes beyond the last whole alphabet would make its first letters likelier than the others.
  const usable = 256 - (256 % alphabet.length)
  let password = ''
  while (password.length < generatedLength)
    for (const byte of bytes(generatedLength))
      if (byte < usable && password.length < generatedLength) password += alphabet[byte % alphabet.length]
  return password
}
