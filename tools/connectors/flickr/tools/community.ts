import { named, text } from '../../../../services/definitions/arguments.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { overwrites, sets, tool } from '../../../../services/definitions/tool.ts'
import { group_id, listPages, listQuery, photo_id, photoFields, photoQuery, rest, user_id } from '../arguments.ts'

const comment_id = text('The ID of the comment, from get_comments or add_comment.', 100, { pattern: '^[\\w-]+$' })
const comment_text = named('text', text('The comment.', 20_000))

/** Flickr's tools for comments, people and groups. */
export const communityTools = [
  tool('get_comments: GET /rest', {
    title: 'Get comments',
    description:
      'Read the comments on a photo, oldest first: ID, text (_content), author and time. Empty without comments.',
    query: { ...rest('photos.comments.getList'), photo_id },
    at: '/comments',
    keep: 'photo_id comment { id author authorname realname datecreate|epoch-seconds-to-time permalink _content }',
  }),

  tool('add_comment: POST /rest', {
    title: 'Comment on a photo',
    description: 'Comment on a photo. Its owner is notified.',
    form: { ...rest('photos.comments.addComment'), photo_id, comment_text },
    at: '/comment',
    keep: 'id permalink',
  }),

  tool('edit_comment: POST /rest', {
    title: 'Edit a comment',
    description: 'Replace the text of one of your comments.',
    annotations: overwrites,
    form: { ...rest('photos.comments.editComment'), comment_id, comment_text },
    returns: done('The comment was changed.'),
  }),

  tool('delete_comment: POST /rest', {
    title: 'Delete a comment',
    description: 'Delete one of your comments, or a comment on one of your photos.',
    annotations: overwrites,
    form: { ...rest('photos.comments.deleteComment'), comment_id },
    returns: done('The comment was deleted.'),
  }),

  tool('get_me: GET /rest', {
    title: 'Get own user',
    description: 'Read who is connected: ID and name.',
    query: rest('test.login'),
    at: '/user',
    keep: 'id username { _content } path_alias',
  }),

  tool('find_person: GET /rest', {
    title: 'Find a person',
    description: 'Find a person by their exact name on Flickr. Returns their ID (nsid).',
    query: { ...rest('people.findByUsername'), username: text('The name on Flickr.', 255) },
    at: '/user',
    keep: 'nsid username { _content }',
  }),

  tool('get_person: GET /rest', {
    title: 'Get a person',
    description: 'Read the profile of a person: names, place, description, pages and number of photos.',
    query: { ...rest('people.getInfo'), user_id },
    at: '/person',
    keep: `nsid username { _content } realname { _content } location { _content } description { _content } photosurl { _content }
    profileurl { _content } photos { count { _content } firstdatetaken { _content } }`,
  }),

  tool('list_contacts: GET /rest', {
    title: 'List contacts',
    description: 'List the people you follow, with their IDs (nsid).',
    query: { ...rest('contacts.getList'), ...listQuery },
    pagination: { ...listPages('contacts', 'contact'), omitsEmpty: true },
    keep: 'nsid username realname friend family',
  }),

  tool('search_groups: GET /rest', {
    title: 'Search groups',
    description: 'Search groups by words. Returns IDs (nsid), names and numbers of members and photos.',
    query: { ...rest('groups.search'), text: text('Words in the name or the description.', 500), ...listQuery },
    pagination: { ...listPages('groups', 'group'), omitsEmpty: true },
    keep: 'nsid name members pool_count privacy',
  }),

  tool('list_groups: GET /rest', {
    title: 'List own groups',
    description: 'List the groups to which you can add photos, with their IDs (nsid).',
    query: { ...rest('groups.pools.getGroups'), ...listQuery },
    pagination: { ...listPages('groups', 'group'), omitsEmpty: true },
    keep: 'nsid name photos privacy',
  }),

  tool('list_group_photos: GET /rest', {
    title: 'List photos of a group',
    description: 'List the photos of a group, most recently added first.',
    query: { ...rest('groups.pools.getPhotos'), group_id, ...photoQuery },
    pagination: listPages('photos', 'photo'),
    keep: photoFields,
  }),

  tool('add_photo_to_group: POST /rest', {
    title: 'Add a photo to a group',
    description:
      'Add one of your photos to a group, from list_groups. If the group reviews photos first, the error says that the photo awaits review.',
    annotations: sets,
    form: { ...rest('groups.pools.add'), photo_id, group_id },
    returns: done('The photo was added to the group.'),
  }),
]
