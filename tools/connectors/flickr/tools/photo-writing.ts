import { either, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../../../services/definitions/file-argument.ts'
import { done } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, sets } from '../../annotations.ts'
import { description, photo_id, rest, tags, title, visible } from '../arguments.ts'

const uploadPhoto = tool('upload_photo: POST up/upload', {
  title: 'Upload a photo',
  description:
    'Upload a photo or a video. Returns its ID (_content). Without is_public, is_friend and is_family, your default decides who can see ' +
    'it. add_photo_to_album puts it into an album.',
  multipart: {
    title: optional(title),
    description: optional(description),
    tags: optional(tags),
    is_public: optional(visible('everyone')),
    is_friend: optional(visible('your friends')),
    is_family: optional(visible('your family')),
    photo: {
      $file: { content: fileArgument({ what: 'The photo', minLength: 1 }), name: named('file_name', FileNameArgument) },
    },
  },
  at: '/photoid',
  keep: '_content',
})

const updatePhoto = tool('update_photo: POST /rest', {
  title: 'Update a photo',
  description: 'Change the title or the description of one of your photos. Omitted ones stay unchanged.',
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
})

const addTags = tool('add_tags: POST /rest', {
  title: 'Add tags',
  description: 'Add tags to a photo, in addition to its other tags.',
  annotations: sets,
  form: { ...rest('photos.addTags'), photo_id, tags },
  returns: done('The tags were added.'),
})

const setTags = tool('set_tags: POST /rest', {
  title: 'Replace tags',
  description: 'Replace all tags of a photo. To keep the others, use add_tags or remove_tag.',
  annotations: overwrites,
  form: { ...rest('photos.setTags'), photo_id, tags },
  returns: done('The tags were replaced.'),
})

const removeTag = tool('remove_tag: POST /rest', {
  title: 'Remove a tag',
  description: 'Remove one tag from a photo.',
  annotations: overwrites,
  form: { ...rest('photos.removeTag'), tag_id: text('The ID of the tag on this photo, from get_photo.', 100) },
  returns: done('The tag was removed.'),
})

const setVisibility = tool('set_visibility: POST /rest', {
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
})

/** Flickr's tools that upload and change photos. */
export const photoWritingTools = [uploadPhoto, updatePhoto, addTags, setTags, removeTag, setVisibility]
