import { named, optional } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import {
  album_id,
  description,
  listPages,
  listQuery,
  photo_id,
  photoFields,
  photoQuery,
  rest,
  title,
  user_id,
} from '../arguments.ts'

const photoset_id = named('album_id', album_id)

const listAlbums = tool('list_albums: GET /rest', {
  title: 'List albums',
  description:
    'List the albums of a person, your own ones without user_id: ID, title, description and number of photos.',
  query: { ...rest('photosets.getList'), user_id: optional(user_id), ...listQuery },
  pagination: listPages('photosets', 'photoset'),
  keep: 'id owner title { _content } description { _content } photos videos count_photos count_videos primary',
})

const listAlbumPhotos = tool('list_album_photos: GET /rest', {
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
})

const createAlbum = tool('create_album: POST /rest', {
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
})

const updateAlbum = tool('update_album: POST /rest', {
  title: 'Update an album',
  description: 'Replace the title and the description of one of your albums. Give both, from list_albums.',
  annotations: overwrites,
  form: { ...rest('photosets.editMeta'), photoset_id, title, description },
  returns: done('The album was updated.'),
})

const addPhotoToAlbum = tool('add_photo_to_album: POST /rest', {
  title: 'Add a photo to an album',
  description: 'Add one of your photos, from list_photos or upload_photo, to the end of an album.',
  annotations: sets,
  form: { ...rest('photosets.addPhoto'), photoset_id, photo_id },
  returns: done('The photo was added to the album.'),
})

const removePhotoFromAlbum = tool('remove_photo_from_album: POST /rest', {
  title: 'Remove a photo from an album',
  description: 'Take a photo out of an album. The photo itself stays.',
  annotations: overwrites,
  form: { ...rest('photosets.removePhoto'), photoset_id, photo_id },
  returns: done('The photo was removed from the album.'),
})

const deleteAlbum = tool('delete_album: POST /rest', {
  title: 'Delete an album',
  description: 'Delete an album. Its photos stay.',
  annotations: overwrites,
  form: { ...rest('photosets.delete'), photoset_id },
  returns: done('The album was deleted.'),
})

/** Flickr's tools for albums, which its API calls photosets. */
export const albumTools = [
  listAlbums,
  listAlbumPhotos,
  createAlbum,
  updateAlbum,
  addPhotoToAlbum,
  removePhotoFromAlbum,
  deleteAlbum,
]
