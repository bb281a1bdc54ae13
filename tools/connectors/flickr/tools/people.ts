import { text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { listPages, listQuery, rest, user_id } from '../arguments.ts'

const getMe = tool('get_me: GET /rest', {
  title: 'Get own user',
  description: 'Read who is connected: ID and name.',
  query: rest('test.login'),
  at: '/user',
  keep: 'id username { _content } path_alias',
})

const findPerson = tool('find_person: GET /rest', {
  title: 'Find a person',
  description: 'Find a person by their exact name on Flickr. Returns their ID (nsid).',
  query: { ...rest('people.findByUsername'), username: text('The name on Flickr.', 255) },
  at: '/user',
  keep: 'nsid username { _content }',
})

const getPerson = tool('get_person: GET /rest', {
  title: 'Get a person',
  description: 'Read the profile of a person: names, place, description, pages and number of photos.',
  query: { ...rest('people.getInfo'), user_id },
  at: '/person',
  keep: `nsid username { _content } realname { _content } location { _content } description { _content } photosurl { _content }
    profileurl { _content } photos { count { _content } firstdatetaken { _content } }`,
})

const listContacts = tool('list_contacts: GET /rest', {
  title: 'List contacts',
  description: 'List the people whom you follow, with their IDs (nsid).',
  query: { ...rest('contacts.getList'), ...listQuery },
  pagination: { ...listPages('contacts', 'contact'), omitsEmpty: true },
  keep: 'nsid username realname friend family',
})

/** Flickr's tools for people. */
export const peopleTools = [getMe, findPerson, getPerson, listContacts]
