import t from 'tap'
import { addressGroup } from '../../lib/http/address-group.ts'
import fc from '../fixtures/property.ts'

t.test('each IPv4 address and each IPv6 /64 is a group', async t => {
  const cases: [address: string | undefined, share: string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ]
  for (const [address, share] of cases) t.equal(addressGroup(address), share, `${address}`)
})

t.test('every IPv6 address of a /64 is in its group, in any notation', async () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.integer({ min: 0, max: 2 ** 32 }), (address, host) => {
      const share = addressGroup(address)
      if (!share.endsWith('::/64')) return // an IPv4 address in IPv6
      const neighbour = `${share.slice(0, -'::/64'.length)}:1:0:${(host >>> 16).toString(16)}:${(host & 0xffff).toString(16)}`
      if (addressGroup(neighbour) !== share) throw new Error(`${neighbour} is not of ${share}`)
    }),
  )
})
