const EMAIL = /^[^\s@<>"“”]+@[^\s@<>"“”]+$/

/** Whether text has the form of an email. Its domain may be a host name without a dot, such as `localhost`. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text)
}
