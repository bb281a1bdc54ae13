import t from 'tap'
import { acceptsEncoding } from '../../lib/http/headers.ts'

t.test('an answer is compressed if the client accepts it', async t => {
  const cases: Array<[header: string | undefined, gzip: boolean, br: boolean]> = [
    [undefined, false, false],
    ['', false, false],
    ['gzip', true, false],
    ['gzip, deflate, br', true, true],
    ['deflate,x-gzip', true, false],
    ['GZip', true, false],
    ['*', true, true],
    ['identity', false, false],
    ['br, gzip;q=0', false, true],
    ['gzip; q=0.000', false, false],
    ['gzip;q=0.001', true, false],
    ['gzip;q=0, *', false, true],
    ['*;q=0', false, false],
    ['gzipped', false, false],
  ]
  for (const [header, gzip, br] of cases) {
    t.equal(acceptsEncoding(header, 'gzip'), gzip, `gzip: ${header}`)
    t.equal(acceptsEncoding(header, 'br'), br, `br: ${header}`)
  }
})
