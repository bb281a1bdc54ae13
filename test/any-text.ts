import type { Arbitrary, StringConstraints } from 'fast-check'
import fc from './property.ts'

/** Text of any characters at all: what `unit: 'binary'` makes, without a second for the table of all there are. */
export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> {
  return fc.string({ ...constraints, unit: character })
}

/** Between these there are halves of characters alone, which are no text. */
const [HALVES, NO_HALVES] = [0xd800, 0xe000]

const character = fc.nat({ max: 0x10ffff - (NO_HALVES - HALVES) }).map(
  index => String.fromCodePoint(index < HALVES ? index : index + NO_HALVES - HALVES),
  text => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || text !== String.fromCodePoint(code)) throw new TypeError('It is not one character')
    return code < HALVES ? code : code - (NO_HALVES - HALVES)
  },
)
