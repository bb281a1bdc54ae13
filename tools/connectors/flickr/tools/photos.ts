import { converted, either, integer, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { filePart } from '../../../../services/definitions/file-argument.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { overwrites, sets, tool } from '../../../../services/definitions/tool.ts'
import { day, instant } from '../../shared-arguments.ts'
import {
  album_id,
  group_id,
  listPages,
  listQuery,
  photo_id,
  photoFields,
  photoQuery,
  rest,
  user_id,
} from '../arguments.ts'

const title = text('The title.', 255)
const description = text('The description.', 20_000, { min: 0 })
const tags = text('Tags, separated by spaces; tags of several words in double quotes: beach "new york".', 2000)

/** Whether some people may see a photo. */
function visible(to: string) {
  return integer(`1: ${to} can see it. 0: they cannot, unless another flag allows it.`, 0, 1)
}

const photos = { pagination: listPages('photos', 'photo'), keep: photoFields } as const
const since = named('uploaded_after', optional(instant('Only photos that were uploaded after this time.')))
const media = optional(oneOf(['photos', 'videos', 'all'], 'Default: all.'))
/** Days of the camera, as `path` declares the arguments that texts name. */
const taken = {
  taken_after: optional(day('Only photos that were taken on this day or later.')),
  taken_before: optional(day('Only photos that were taken on this day or earlier.')),
}
const takenQuery = { min_taken_date: '{taken_after} 00:00:00', max_taken_date: '{taken_before} 23:59:59' } as const

const photoset_id = named('album_id', album_id)

/** Flickr's tools for photos, favorites, and albums, which its API calls photosets. */
export const photoTools = [
  tool('search_photos: GET /rest', {
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
      sort: optional(
        oneOf(
          ['relevance', 'date-posted-desc', 'date-taken-desc', 'interestingness-desc'],
          'The order. Default: date-posted-desc.',
        ),
      ),
      ...photoQuery,
    },
    needsOneOf: ['query', 'tags', 'user_id', 'group_id'],
    ...photos,
  }),

  tool('list_photos: GET /rest', {
    title: 'List own photos',
    description: 'List your own photos, including private ones, newest first. For other photos use search_photos.',
    path: taken,
    query: {
      ...rest('people.getPhotos'),
      user_id: 'me',
      min_upload_date: converted('epoch-seconds', since),
      ...takenQuery,
      ...photoQuery,
    },
    ...photos,
  }),

  tool('get_photo: GET /rest', {
    title: 'Get a photo',
    description:
      'Read one photo: title, description, owner, dates, tags with their IDs, visibility, license and page. Its files: get_photo_sizes.',
    query: { ...rest('photos.getInfo'), photo_id },
    at: '/photo',
    keep: `id title { _content } description { _content } owner { nsid username realname } license views media
    dates { posted|epoch-seconds-to-time taken } visibility { ispublic isfriend isfamily } tags { tag { id raw } } comments { _content }
    urls { url { _content } } location { latitude longitude }`,
  }),

  tool('get_photo_sizes: GET /rest', {
    title: 'Get the sizes of a photo',
    description: 'List the files of a photo: width, height and the URL (source) of each size.',
    query: { ...rest('photos.getSizes'), photo_id },
    at: '/sizes',
    keep: 'candownload size { label width height source media }',
  }),

  tool('list_licenses: GET /rest', {
    title: 'List licenses',
    description: 'List the licenses of photos with their IDs, which get_photo returns and search_photos takes.',
    query: rest('photos.licenses.getInfo'),
    at: '/licenses/license',
    keep: 'id name url',
  }),

  tool('list_favorites: GET /rest', {
    title: 'List favorites',
    description: 'List the favorites of a person; without user_id, your own.',
    query: { ...rest('favorites.getList'), user_id: optional(user_id), ...photoQuery },
    ...photos,
  }),

  tool('add_favorite: POST /rest', {
    title: 'Add a favorite',
    description: 'Mark a photo of someone else as a favorite. Its owner is notified.',
    form: { ...rest('favorites.add'), photo_id },
    returns: done('The photo is a favorite.'),
  }),

  tool('remove_favorite: POST /rest', {
    title: 'Remove a favorite',
    description: 'Remove a photo from your favorites.',
    annotations: overwrites,
    form: { ...rest('favorites.remove'), photo_id },
    returns: done('The photo is no longer a favorite.'),
  }),

  tool('upload_photo: POST up/upload', {
    title: 'Upload a photo',
    description:
      'Upload a photo or a video. Returns its ID (_content). Without is_public, is_friend and is_family, your ' +
      'default decides who can see it. add_photo_to_album puts it into an album.',
    multipart: {
      title: optional(title),
      description: optional(description),
      tags: optional(tags),
      is_public: optional(visible('everyone')),
      is_friend: optional(visible('your friends')),
      is_family: optional(visible('your family')),
      photo: filePart('The photo'),
    },
    at: '/photoid',
    keep: '_content',
  }),

  tool('update_photo: POST /rest', {
    title: 'Update a photo',
    description: 'Change the title or the description of one of your photos. Omitted fields stay unchanged.',
    annotations: overwrites,
    steps: [
      {
        step: 'read: GET /rest',
        query: { ...rest('photos.getInfo'), photo_id },
        // Flickr does not document that an omitted one stays.
        keep: { title: '/photo/title/_content', description: '/photo/description/_content' },
      },
    ],
    form: {
      ...rest('photos.setMeta'),
      photo_id,
      title: either(named('title', optional(title)), '{read.title}'),
      description: either(named('description', optional(description)), '{read.description}'),
    },
    needsOneOf: ['title', 'description'],
    returns: done('The photo was updated.'),
  }),

  tool('add_tags: POST /rest', {
    title: 'Add tags',
    description: 'Add tags to a photo, in addition to its other tags.',
    annotations: sets,
    form: { ...rest('photos.addTags'), photo_id, tags },
    returns: done('The tags were added.'),
  }),

  tool('set_tags: POST /rest', {
    title: 'Replace tags',
    description: 'Replace all tags of a photo. To keep the others, use add_tags or remove_tag.',
    annotations: overwrites,
    form: { ...rest('photos.setTags'), photo_id, tags },
    returns: done('The tags were replaced.'),
  }),

  tool('remove_tag: POST /rest', {
    title: 'Remove a tag',
    description: 'Remove one tag from a photo.',
    annotations: overwrites,
    form: { ...rest('photos.removeTag'), tag_id: text('The ID of the tag on this photo, from get_photo.', 100) },
    returns: done('The tag was removed.'),
  }),

  tool('set_visibility: POST /rest', {
    title: 'Set who can see a photo',
    description: 'Set who can see one of your photos. With 0 for all three, only you can.',
    annotations: overwrites,
    form: {
      ...rest('photos.setPerms'),
      photo_id,
      is_public: visible('everyone'),
      is_friend: visible('your friends'),
      is_family: visible('your family'),
    },
    returns: done('The visibility was set.'),
  }),

  tool('list_albums: GET /rest', {
    title: 'List albums',
    description:
      'List the albums of a person (without user_id, your own): ID, title, description and number of photos.',
    query: { ...rest('photosets.getList'), user_id: optional(user_id), ...listQuery },
    pagination: listPages('photosets', 'photoset'),
    keep: 'id owner title { _content } description { _content } photos videos count_photos count_videos primary',
  }),

  tool('list_album_photos: GET /rest', {
    title: 'List photos of an album',
    description: 'List the photos of an album in their order.',
    query: {
      ...rest('photosets.getPhotos'),
      photoset_id,
      user_id: named('owner', { ...user_id, description: 'The ID of the owner of the album: owner of list_albums.' }),
      ...photoQuery,
    },
    pagination: listPages('photoset', 'photo'),
    keep: photoFields,
  }),

  tool('create_album: POST /rest', {
    title: 'Create an album',
    description: 'Create an album with its first photo, which is its cover. Returns its ID and URL.',
    form: {
      ...rest('photosets.create'),
      title,
      description: optional(description),
      primary_photo_id: named('photo_id', photo_id),
    },
    at: '/photoset',
    keep: 'id url',
  }),

  tool('update_album: POST /rest', {
    title: 'Update an album',
    description: 'Replace the title and the description of one of your albums. Give both, from list_albums.',
    annotations: overwrites,
    form: { ...rest('photosets.editMeta'), photoset_id, title, description },
    returns: done('The album was updated.'),
  }),

  tool('add_photo_to_album: POST /rest', {
    title: 'Add a photo to an album',
    description: 'Add one of your photos, from list_photos or upload_photo, to the end of an album.',
    annotations: sets,
    form: { ...rest('photosets.addPhoto'), photoset_id, photo_id },
    returns: done('The photo was added to the album.'),
  }),

  tool('remove_photo_from_album: POST /rest', {
    title: 'Remove a photo from an album',
    description: 'Take a photo out of an album. The photo itself stays.',
    annotations: overwrites,
    form: { ...rest('photosets.removePhoto'), photoset_id, photo_id },
    returns: done('The photo was removed from the album.'),
  }),

  tool('delete_album: POST /rest', {
    title: 'Delete an album',
    description: 'Delete an album. Its photos stay.',
    annotations: overwrites,
    form: { ...rest('photosets.delete'), photoset_id },
    returns: done('The album was deleted.'),
  }),
]
