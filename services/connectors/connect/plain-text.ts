/** Whether a text of somebody else's can be kept as it is: there is some, no more than this, and none of it is a control character. */
export function isPlain(text: string, length: number): boolean {
  return text.length <= length && text.trim() !== '' && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}
