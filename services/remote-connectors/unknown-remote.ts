import { GatewayError } from '../../lib/errors/errors.ts'
import type { Registration } from './registration.ts'

/** The refusal of a slug that nothing is registered under, for who may know what is. */
export class UnknownRemote extends GatewayError {
  constructor(slug: string, there: readonly Pick<Registration, 'slug'>[]) {
    const slugs = there.map(({ slug }) => slug).join(', ')
    const others = slugs === '' ? 'None is registered.' : `There are: ${slugs}.`
    super('invalid_request', `No remote connector is registered as ${slug}. ${others}`)
  }
}
