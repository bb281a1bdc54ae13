import { flag, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites, reads } from '../../annotations.ts'
import { contains, eq, id, issue, listPages, markdown, page, pageInfo } from '../arguments.ts'

const documentNode = 'id title url updatedAt creator { displayName } project { id name } issue { identifier }'
const written = 'success document { id title url updatedAt }'
const title = text('The title.', 512)
const document_id = text('The document: its ID, from search_documents or list_documents, or the end of its URL.', 300, {
  pattern: '^[A-Za-z0-9-]+$',
})

const searchDocuments = tool('search_documents: POST /graphql', {
  title: 'Search documents',
  description: 'Search documents by words in title and text, best match first. Read one with get_document.',
  annotations: reads,
  scopes: ['read'],
  graphql: `query SearchDocuments($term: String!, $first: Int, $after: String, $archived: Boolean) {
  searchDocuments(term: $term, first: $first, after: $after, includeArchived: $archived) { nodes { ${documentNode} } ${pageInfo} }
}`,
  variables: {
    term: text('Words without search syntax: launch plan.', 500),
    archived: named('include_archived', optional(flag('Include documents in the trash.'))),
    ...page,
  },
  pagination: listPages('searchDocuments'),
})

const listDocuments = tool('list_documents: POST /graphql', {
  title: 'List documents',
  description: 'List documents, optionally of a project, or with a text in the title. Read one with get_document.',
  annotations: reads,
  scopes: ['read'],
  graphql: `query ListDocuments($first: Int, $after: String, $filter: DocumentFilter) {
  documents(first: $first, after: $after, filter: $filter, orderBy: updatedAt) { nodes { ${documentNode} } ${pageInfo} }
}`,
  variables: {
    filter: {
      title: contains('title', text('Only those with this text in the title.', 200)),
      project: { id: eq('project_id', id('Only those of this project, from list_projects.')) },
    },
    ...page,
  },
  pagination: listPages('documents'),
})

const getDocument = tool('get_document: POST /graphql', {
  title: 'Read a document',
  description: 'Read a document: title, text (Markdown), author, project or issue, and times.',
  annotations: reads,
  scopes: ['read'],
  graphql: `query GetDocument($id: String!) {
  document(id: $id) { ${documentNode} content createdAt archivedAt updatedBy { displayName } }
}`,
  variables: { id: named('document_id', document_id) },
  at: '/data/document',
})

const createDocument = tool('create_document: POST /graphql', {
  title: 'Create a document',
  description: 'Create a document in a project or on an issue. Give one of them.',
  scopes: ['write'],
  graphql: `mutation CreateDocument($input: DocumentCreateInput!) { documentCreate(input: $input) { ${written} } }`,
  variables: {
    input: {
      title,
      content: optional(markdown('The text.')),
      projectId: optional(id('The project, from list_projects.')),
      issueId: named('issue', optional(issue('The issue.'))),
    },
  },
  needsOneOf: ['project_id', 'issue'],
  at: '/data/documentCreate',
})

const updateDocument = tool('update_document: POST /graphql', {
  title: 'Update a document',
  description: 'Change the title of a document, or replace its whole text. Read it first with get_document.',
  annotations: overwrites,
  scopes: ['write'],
  graphql: `mutation UpdateDocument($id: String!, $input: DocumentUpdateInput!) {
  documentUpdate(id: $id, input: $input) { ${written} }
}`,
  variables: {
    id: named('document_id', document_id),
    input: { title: optional(title), content: optional(markdown('The full new text.')) },
  },
  needsOneOf: ['title', 'content'],
  at: '/data/documentUpdate',
})

const trashDocument = tool('trash_document: POST /graphql', {
  title: 'Move a document to the trash',
  description: 'Move a document to the trash, from where people can restore it in Linear.',
  annotations: overwrites,
  scopes: ['write'],
  graphql: `mutation TrashDocument($id: String!) { documentDelete(id: $id) { success entity { id title } } }`,
  variables: { id: named('document_id', id('The document, from search_documents or list_documents.')) },
  at: '/data/documentDelete',
})

/** Linear tools for documents. */
export const documentTools = [
  searchDocuments,
  listDocuments,
  getDocument,
  createDocument,
  updateDocument,
  trashDocument,
]
