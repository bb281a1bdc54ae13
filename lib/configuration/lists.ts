/** The items of a comma list, without the white space around them and without empty ones. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}
