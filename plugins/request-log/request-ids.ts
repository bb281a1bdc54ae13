import { randomBytes } from 'node:crypto'

/** Makes request ids: a part that is this process's own, and a count. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
