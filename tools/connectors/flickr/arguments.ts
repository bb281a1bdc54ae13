import type { TString } from '@sinclair/typebox'
import { text } from '../../../services/definitions/arguments.ts'
import { pageSize, pageStart } from '../shared-arguments.ts'

/** The parameters of every request. Flickr has one path, and says in `method` what a request does. */
export function rest(method: string) {
  return { method: `flickr.${method}`, format: 'json', nojsoncallback: 1 } as const
}

/** The parameters of lists. */
export const listQuery = { per_page: pageSize(50, 500), page: pageStart } as const

/** The pages of a list, which is in an object with the number of pages. Pages may have fewer items than asked for. */
export function listPages(object: string, items: string) {
  return { style: 'page', items: `/${object}/${items}`, pages: `/${object}/pages` } as const
}

/** An ID of digits. */
function id(description: string): TString {
  return text(description, 30, { pattern: '^[0-9]+$' })
}

export const photo_id = id('The ID of the photo, from search_photos, list_photos or list_album_photos.')
export const album_id = id('The ID of the album, from list_albums or create_album.')

/** A person, or a group: both have the same form. */
function nsid(description: string): TString {
  return text(description, 50, { pattern: '^[0-9]+@N[0-9]+$' })
}

export const user_id = nsid('The ID of the person (12345678@N00), from find_person or get_me.')
export const group_id = nsid('The ID of the group (12345678@N00), from search_groups or list_groups.')

/** The fields of photos in lists, and the parameter that asks for them. */
export const photoFields = 'id title owner ownername description { _content } datetaken tags views media url_m url_o'
const extras = 'description,date_taken,owner_name,tags,views,media,url_m,url_o'
/** The query of a list of photos. */
export const photoQuery = { extras, ...listQuery } as const
