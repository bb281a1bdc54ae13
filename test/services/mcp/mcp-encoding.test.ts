import t from 'tap'
import { acceptsGzip } from '../../../services/mcp/tool-list.ts'

t.test('a list is sent in gzip if the client accepts it', async t => {
  const cases: Array<[header: string | undefined, gzip: boolean]> = [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['deflate,x-gzip', true],
    ['GZip', true],
    ['*', true],
    ['identity', false],
    ['br, gzip;q=0', false],
    ['gzip; q=0.000', false],
    ['gzip;q=0.001', true],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['gzipped', false],
  ]
  for (const [header, gzip] of cases) t.equal(acceptsGzip(header), gzip, `${header}`)
})
