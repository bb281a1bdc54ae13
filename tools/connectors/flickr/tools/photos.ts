import { converted, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { day, instant } from '../../times.ts'
import { group_id, listPages, photo_id, photoFields, photoQuery, rest, user_id } from '../arguments.ts'

const photos = { pagination: listPages('photos', 'photo'), keep: photoFields } as const
const since = named('uploaded_after', optional(instant('Only photos that were uploaded after this time.')))
const media = optional(oneOf(['photos', 'videos', 'all'], 'Default: all.'))
/** Days of the camera, as `path` declares the arguments that texts name. */
const taken = {
  taken_after: optional(day('Only photos that were taken on this day or later.')),
  taken_before: optional(day('Only photos that were taken on this day or earlier.')),
}
const takenQuery = { min_taken_date: '{taken_after} 00:00:00', max_taken_date: '{taken_before} 23:59:59' } as const

const searchPhotos = tool('search_photos: GET /rest', {
  title: 'Search photos',
  description:
    'Search the photos of everyone, or of one person or group, by words, tags and dates. Returns IDs, titles, owners and URLs.',
  path: taken,
  query: {
    ...rest('photos.search'),
    text: named('query', optional(text('Words in the title, description or tags.', 500))),
    tags: optional(text('Tags, separated by commas: beach,sunset.', 500)),
    tag_mode: optional(oneOf(['any', 'all'], 'Whether any or all of the tags are needed. Default: any.')),
    user_id: optional(user_id),
    group_id: optional(group_id),
    min_upload_date: converted('epoch-seconds', since),
    ...takenQuery,
    license: optional(text('Only photos with one of these licenses: IDs of list_licenses, separated by commas.', 50)),
    media,
    sort: optional(oneOf(['relevance', 'date-posted-desc', 'date-taken-desc', 'interestingness-desc'])),
    ...photoQuery,
  },
  needsOneOf: ['query', 'tags', 'user_id', 'group_id'],
  ...photos,
})

const listPhotos = tool('list_photos: GET /rest', {
  title: 'List own photos',
  description: 'List your own photos, private ones too, the newest first. For those of others use search_photos.',
  path: taken,
  query: {
    ...rest('people.getPhotos'),
    user_id: 'me',
    min_upload_date: converted('epoch-seconds', since),
    ...takenQuery,
    ...photoQuery,
  },
  ...photos,
})

const getPhoto = tool('get_photo: GET /rest', {
  title: 'Get a photo',
  description:
    'Read one photo: title, description, owner, dates, tags with their IDs, visibility, license and page. Its files: get_photo_sizes.',
  query: { ...rest('photos.getInfo'), photo_id },
  at: '/photo',
  keep: `id title { _content } description { _content } owner { nsid username realname } license views media
    dates { posted|epoch-seconds-to-time taken } visibility { ispublic isfriend isfamily } tags { tag { id raw } } comments { _content }
    urls { url { _content } } location { latitude longitude }`,
})

const getPhotoSizes = tool('get_photo_sizes: GET /rest', {
  title: 'Get the sizes of a photo',
  description: 'List the files of a photo: width, height and the URL (source) of each size.',
  query: { ...rest('photos.getSizes'), photo_id },
  at: '/sizes',
  keep: 'candownload size { label width height source media }',
})

const listLicenses = tool('list_licenses: GET /rest', {
  title: 'List licenses',
  description: 'List the licenses of photos with their IDs, which get_photo returns and search_photos takes.',
  query: rest('photos.licenses.getInfo'),
  at: '/licenses/license',
  keep: 'id name url',
})

const listFavorites = tool('list_favorites: GET /rest', {
  title: 'List favorites',
  description: 'List the photos that a person marked as favorites; your own ones without user_id.',
  query: { ...rest('favorites.getList'), user_id: optional(user_id), ...photoQuery },
  ...photos,
})

const addFavorite = tool('add_favorite: POST /rest', {
  title: 'Add a favorite',
  description: 'Mark a photo of someone else as a favorite. Its owner is notified.',
  form: { ...rest('favorites.add'), photo_id },
  returns: done('The photo is a favorite.'),
})

const removeFavorite = tool('remove_favorite: POST /rest', {
  title: 'Remove a favorite',
  description: 'Remove a photo from your favorites.',
  annotations: overwrites,
  form: { ...rest('favorites.remove'), photo_id },
  returns: done('The photo is no longer a favorite.'),
})

/** Flickr's tools that find and read photos, and favorites. */
export const photoTools = [
  searchPhotos,
  listPhotos,
  getPhoto,
  getPhotoSizes,
  listLicenses,
  listFavorites,
  addFavorite,
  removeFavorite,
]
