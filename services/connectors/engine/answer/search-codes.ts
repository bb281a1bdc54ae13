/**
 * Makes what finds a sequence in others, each time in as many steps as there are codes (Knuth, Morris and Pratt), whatever
 * either of them is made of: where it begins, without overlaps.
 */
export function searchCodes(wanted: ArrayLike<number>): (codes: ArrayLike<number>) => number[] {
  const { length } = wanted
  /** How much of the sequence is still met after a code that is not the next one. */
  const shorter = new Uint32Array(length)
  for (let at = 1, met = 0; at < length; at++) {
    while (met > 0 && wanted[at] !== wanted[met]) met = shorter[met - 1] ?? 0
    if (wanted[at] === wanted[met]) met++
    shorter[at] = met
  }

  return function find(codes) {
    const found: number[] = []
    for (let at = 0, met = 0; at < codes.length; at++) {
      while (met > 0 && codes[at] !== wanted[met]) met = shorter[met - 1] ?? 0
      if (codes[at] === wanted[met]) met++
      if (met < length) continue
      found.push(at - length + 1)
      met = 0
    }
    return found
  }
}
