import { Type } from '@sinclair/typebox'
import { each, either, list, named, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant } from '../../times.ts'
import {
  direction,
  id,
  listPages,
  listQuery,
  logins,
  markdown,
  number,
  place,
  REPOSITORY,
  repository,
  scopes,
  sha,
} from '../arguments.ts'

const PULL_REQUEST = `${REPOSITORY}/pulls/{pull_number}`
const path = { ...repository, pull_number: number('pull request') }
const reviewFields = 'id state html_url user { login } submitted_at'
const commentFields = `id pull_request_review_id in_reply_to_id path line side start_line user { login } body html_url
  created_at`
const commentText = markdown('The comment. A block of ```suggestion proposes other lines.', { min: 1 })
const event = oneOf(['APPROVE', 'REQUEST_CHANGES', 'COMMENT'])
const review_id = id('The ID of the review, from list_reviews.')

const listReviews = tool(`list_reviews: GET ${PULL_REQUEST}/reviews`, {
  title: 'List reviews',
  description:
    'List the reviews of a pull request, oldest first: who approved it or requested changes, and their texts. For ' +
    'comments on lines use list_review_comments.',
  scopes,
  path,
  query: listQuery,
  pagination: listPages,
  keep: `${reviewFields} body commit_id`,
})

const createReview = tool(`create_review: POST ${PULL_REQUEST}/reviews`, {
  title: 'Review a pull request',
  description:
    'Review a pull request: approve it, request changes, or comment, with comments on lines. REQUEST_CHANGES and COMMENT ' +
    'need body. You cannot approve your own pull request.',
  scopes,
  path,
  json: {
    event,
    body: optional(markdown('The text of the review.')),
    commit_id: optional(sha('The commit you have read: head.sha of get_pull_request. Default: the newest.')),
    comments: each(
      optional(
        list(
          Type.Object({ ...place, body: commentText }, { additionalProperties: false }),
          'Comments on lines that the pull request changes, or next to them: see list_pull_request_files.',
          50,
        ),
      ),
      {
        path: '{item.path}',
        line: '{item.line}',
        side: either('{item.side}', 'RIGHT'),
        body: '{item.body}',
        '...': '{item.start}',
      },
    ),
  },
  keep: reviewFields,
})

const submitReview = tool(`submit_review: POST ${PULL_REQUEST}/reviews/{review_id}/events`, {
  title: 'Submit a pending review',
  description: 'Submit a review that you began on GitHub: its state is PENDING. To write a review use create_review.',
  scopes,
  path: { ...path, review_id },
  json: { event, body: optional(markdown('The text of the review.')) },
  keep: reviewFields,
})

const listReviewComments = tool(`list_review_comments: GET ${PULL_REQUEST}/comments`, {
  title: 'List review comments',
  description: 'List the comments on lines of a pull request, with file and line. Answers have in_reply_to_id.',
  scopes,
  path,
  query: {
    sort: optional({ ...oneOf(['created', 'updated'], 'Default: created.'), default: 'created' }),
    direction,
    since: optional(instant('Only comments updated since this time.')),
    ...listQuery,
  },
  pagination: listPages,
  keep: `${commentFields} commit_id`,
})

const createReviewComment = tool(`create_review_comment: POST ${PULL_REQUEST}/comments`, {
  title: 'Comment on a line',
  description:
    'Comment on a line of a pull request at once. To send several comments as one review use create_review; to answer one ' +
    'use reply_to_review_comment.',
  scopes,
  path,
  json: {
    body: commentText,
    commit_id: sha('The newest commit of the pull request: head.sha of get_pull_request.'),
    path: place.path,
    line: place.line,
    side: place.side,
    '...': named('start', place.start),
  },
  keep: commentFields,
})

const replyToReviewComment = tool(`reply_to_review_comment: POST ${PULL_REQUEST}/comments/{comment_id}/replies`, {
  title: 'Answer a review comment',
  description: 'Answer a comment on a line of a pull request.',
  scopes,
  path: {
    ...path,
    comment_id: id('The comment that began the thread, from list_review_comments: one without in_reply_to_id.'),
  },
  json: { body: commentText },
  keep: commentFields,
})

const requestReviewers = tool(`request_reviewers: POST ${PULL_REQUEST}/requested_reviewers`, {
  title: 'Request reviews',
  description: 'Ask users or teams to review a pull request. They are notified. The author cannot be asked.',
  scopes,
  path,
  json: {
    reviewers: optional(logins('Logins of users, from list_assignees or search_users.')),
    team_reviewers: optional(list(text('', 100), 'Slugs of teams of the organization, from list_teams.', 10)),
  },
  needsOneOf: ['reviewers', 'team_reviewers'],
  keep: 'number html_url requested_reviewers { login } requested_teams { slug }',
})

/** GitHub tools for reviews of pull requests. */
export const reviewTools = [
  listReviews,
  createReview,
  submitReview,
  listReviewComments,
  createReviewComment,
  replyToReviewComment,
  requestReviewers,
]
