import { text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { sets } from '../../annotations.ts'
import { group_id, listPages, listQuery, photo_id, photoFields, photoQuery, rest } from '../arguments.ts'

const searchGroups = tool('search_groups: GET /rest', {
  title: 'Search groups',
  description: 'Search groups by words. Returns IDs (nsid), names and numbers of members and photos.',
  query: { ...rest('groups.search'), text: text('Words of the name or the description.', 500), ...listQuery },
  pagination: { ...listPages('groups', 'group'), omitsEmpty: true },
  keep: 'nsid name members pool_count privacy',
})

const listGroups = tool('list_groups: GET /rest', {
  title: 'List own groups',
  description: 'List the groups to which you can add photos, with their IDs (nsid).',
  query: { ...rest('groups.pools.getGroups'), ...listQuery },
  pagination: { ...listPages('groups', 'group'), omitsEmpty: true },
  keep: 'nsid name photos privacy',
})

const listGroupPhotos = tool('list_group_photos: GET /rest', {
  title: 'List photos of a group',
  description: 'List the photos of a group, those that were added last first.',
  query: { ...rest('groups.pools.getPhotos'), group_id, ...photoQuery },
  pagination: listPages('photos', 'photo'),
  keep: photoFields,
})

const addPhotoToGroup = tool('add_photo_to_group: POST /rest', {
  title: 'Add a photo to a group',
  description:
    'Add one of your photos to a group, from list_groups. If the group reviews photos first, the error says that the photo waits for that.',
  annotations: sets,
  form: { ...rest('groups.pools.add'), photo_id, group_id },
  returns: done('The photo was added to the group.'),
})

/** Flickr's tools for groups and their photos. */
export const groupTools = [searchGroups, listGroups, listGroupPhotos, addPhotoToGroup]
