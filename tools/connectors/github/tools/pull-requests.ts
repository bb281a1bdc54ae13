import { Type } from '@sinclair/typebox'
import {
  each,
  either,
  flag,
  integer,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { text as plainText } from '../../../../services/definitions/http-tool.ts'
import { sets, tool } from '../../../../services/definitions/tool.ts'
import { instant, pageSize } from '../../shared-arguments.ts'
import {
  direction,
  id,
  listPages,
  listQuery,
  logins,
  markdown,
  name,
  number,
  path,
  REPOSITORY,
  repository,
  scopes,
  sha,
  title,
} from '../arguments.ts'

/** The place of a comment in a diff: its file, its last line, and its first one if it has several. */
const place = {
  path: path('It must be among the changed files.'),
  line: integer('The line number in the new version of the file, or with side LEFT in the old version.', 1, 1_000_000),
  side: optional({ ...oneOf(['LEFT', 'RIGHT'], 'LEFT for a removed line. Default: RIGHT.'), default: 'RIGHT' }),
  start: optional(
    Type.Object(
      {
        start_line: integer('The first line.', 1, 1_000_000),
        start_side: oneOf(['LEFT', 'RIGHT'], 'As side, for the first line.'),
      },
      { additionalProperties: false, description: 'Only for a comment on several lines; line is then the last one.' },
    ),
  ),
}

const PULL_REQUEST = `${REPOSITORY}/pulls/{pull_number}`
const pullRequest = { ...repository, pull_number: number('pull request') }
const pullRequestFields = `number title state draft html_url user { login } head { ref sha } base { ref } labels { name }
  created_at updated_at`

const reviewFields = 'id state html_url user { login } submitted_at'
const commentFields = `id pull_request_review_id in_reply_to_id path line side start_line user { login } body html_url
  created_at`
const commentText = markdown('The comment. A block of ```suggestion proposes other lines.', { min: 1 })
const event = oneOf(['APPROVE', 'REQUEST_CHANGES', 'COMMENT'], 'The verdict.')
const review_id = id('The ID of the review, from list_reviews.')

/** GitHub tools for pull requests and their reviews. */
export const pullRequestTools = [
  tool(`list_pull_requests: GET ${REPOSITORY}/pulls`, {
    title: 'List pull requests',
    description:
      'List the pull requests of one repository, newest first: number, title, state, branches, author and dates. To ' +
      'find them by person or across repositories, use search_issues with is:pull-request.',
    scopes,
    path: repository,
    query: {
      state: optional({ ...oneOf(['open', 'closed', 'all'], 'Default: open.'), default: 'open' }),
      head: optional(name('Only pull requests from this branch, with its owner: octo-org:new-feature.')),
      base: optional(name('Only pull requests into this branch: main.')),
      sort: optional(oneOf(['created', 'updated', 'popularity', 'long-running'], 'The order. Default: created.')),
      direction,
      ...listQuery,
    },
    pagination: listPages,
    keep: pullRequestFields,
  }),

  tool(`get_pull_request: GET ${PULL_REQUEST}`, {
    title: 'Get a pull request',
    description:
      'Read one pull request: text, branches, reviewers, size, and whether it can be merged. If mergeable is null, ' +
      'GitHub is still computing it: call again. For its files use list_pull_request_files.',
    scopes,
    path: pullRequest,
    keep: `${pullRequestFields} body merged merged_at mergeable mergeable_state requested_reviewers { login }
    requested_teams { slug } assignees { login } commits additions deletions changed_files`,
  }),

  tool(`list_pull_request_files: GET ${PULL_REQUEST}/files`, {
    title: 'List the files of a pull request',
    description:
      'List the files that a pull request changes: name, status, lines added and deleted, and the patch (omitted if ' +
      'it is large or binary). At most 3000 files.',
    scopes,
    path: pullRequest,
    query: { ...listQuery, per_page: pageSize(10, 100) },
    pagination: listPages,
    keep: 'filename previous_filename status additions deletions patch',
  }),

  tool(`get_pull_request_diff: GET ${PULL_REQUEST}`, {
    title: 'Read the diff of a pull request',
    description: 'Read all changes of a pull request as one unified diff, up to 20,000 lines and 300 files.',
    scopes,
    headers: { accept: 'application/vnd.github.diff' },
    path: pullRequest,
    returns: plainText(),
  }),

  tool(`list_pull_request_commits: GET ${PULL_REQUEST}/commits`, {
    title: 'List the commits of a pull request',
    description:
      'List the commits of a pull request, oldest first, at most 250. Read the changes of one with get_commit.',
    scopes,
    path: pullRequest,
    query: listQuery,
    pagination: listPages,
    keep: 'sha html_url commit { message author { name date } } author { login }',
  }),

  tool(`create_pull_request: POST ${REPOSITORY}/pulls`, {
    title: 'Open a pull request',
    description:
      'Open a pull request from a branch that exists on GitHub. Returns its number and URL. Fails if one is already ' +
      'open between the same branches.',
    scopes,
    path: repository,
    json: {
      title: title(),
      head: name('The branch with the changes. For a fork, include its owner: mona:new-feature.'),
      base: name('The branch to merge into: main.'),
      body: optional(markdown('What it does and why.')),
      draft: optional(flag('Whether to open it as a draft.')),
      maintainer_can_modify: optional(flag('Whether maintainers can push to the branch of a fork.')),
    },
    keep: 'number title state draft html_url head { ref } base { ref } created_at',
  }),

  tool(`update_pull_request: PATCH ${PULL_REQUEST}`, {
    title: 'Update a pull request',
    description:
      'Update the title, text or base branch of a pull request, close it or reopen it. Omitted fields stay ' +
      'unchanged. For labels, assignees and milestone use update_issue.',
    scopes,
    path: pullRequest,
    json: {
      title: optional(title()),
      body: optional(markdown('The full new text.')),
      state: optional(oneOf(['open', 'closed'], 'Closes or reopens it.')),
      base: optional(name('The branch to merge into.')),
      maintainer_can_modify: optional(flag('Whether maintainers can push to the branch of a fork.')),
    },
    keep: pullRequestFields,
  }),

  tool(`update_pull_request_branch: PUT ${PULL_REQUEST}/update-branch`, {
    title: 'Update the branch of a pull request',
    description: 'Merge the newest commits of the base branch into the branch of a pull request. Takes a few seconds.',
    annotations: sets,
    scopes,
    path: pullRequest,
    json: {
      expected_head_sha: named('head_sha', sha('The head.sha of get_pull_request: fails if the branch has moved.')),
    },
    keep: 'message',
  }),

  tool(`merge_pull_request: PUT ${PULL_REQUEST}/merge`, {
    title: 'Merge a pull request',
    description:
      'Merge a pull request into its base branch. Give sha (head.sha of get_pull_request) to prevent the merge of ' +
      'unreviewed commits. Returns the merge commit.',
    scopes,
    path: pullRequest,
    json: {
      merge_method: optional({ ...oneOf(['merge', 'squash', 'rebase'], 'Default: merge.'), default: 'merge' }),
      commit_title: optional(title('The title of the commit. Default: that of the pull request.')),
      commit_message: optional(text('The rest of the commit message.', 65_536, { min: 0 })),
      sha: optional(sha('Merge only if this is the head of the pull request.')),
    },
    needsOneOf: [],
    keep: 'merged message sha',
  }),

  tool(`list_reviews: GET ${PULL_REQUEST}/reviews`, {
    title: 'List reviews',
    description:
      'List the reviews of a pull request, oldest first: who approved it or requested changes, and their texts. For ' +
      'comments on lines use list_review_comments.',
    scopes,
    path: pullRequest,
    query: listQuery,
    pagination: listPages,
    keep: `${reviewFields} body commit_id`,
  }),

  tool(`create_review: POST ${PULL_REQUEST}/reviews`, {
    title: 'Review a pull request',
    description:
      'Review a pull request: approve it, request changes, or comment, with comments on lines. REQUEST_CHANGES and ' +
      'COMMENT need body. You cannot approve your own pull request.',
    scopes,
    path: pullRequest,
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
  }),

  tool(`submit_review: POST ${PULL_REQUEST}/reviews/{review_id}/events`, {
    title: 'Submit a pending review',
    description: 'Submit a review that you began on GitHub: its state is PENDING. To write a review use create_review.',
    scopes,
    path: { ...pullRequest, review_id },
    json: { event, body: optional(markdown('The text of the review.')) },
    keep: reviewFields,
  }),

  tool(`list_review_comments: GET ${PULL_REQUEST}/comments`, {
    title: 'List review comments',
    description: 'List the comments on lines of a pull request, with file and line. Replies have in_reply_to_id.',
    scopes,
    path: pullRequest,
    query: {
      sort: optional({ ...oneOf(['created', 'updated'], 'Default: created.'), default: 'created' }),
      direction,
      since: optional(instant('Only comments updated since this time.')),
      ...listQuery,
    },
    pagination: listPages,
    keep: `${commentFields} commit_id`,
  }),

  tool(`create_review_comment: POST ${PULL_REQUEST}/comments`, {
    title: 'Comment on a line',
    description:
      'Comment on a line of a pull request at once. To send several comments as one review use create_review; to ' +
      'answer one use reply_to_review_comment.',
    scopes,
    path: pullRequest,
    json: {
      body: commentText,
      commit_id: sha('The newest commit of the pull request: head.sha of get_pull_request.'),
      path: place.path,
      line: place.line,
      side: place.side,
      '...': named('start', place.start),
    },
    keep: commentFields,
  }),

  tool(`reply_to_review_comment: POST ${PULL_REQUEST}/comments/{comment_id}/replies`, {
    title: 'Answer a review comment',
    description: 'Answer a comment on a line of a pull request.',
    scopes,
    path: {
      ...pullRequest,
      comment_id: id('The comment that began the thread, from list_review_comments: one without in_reply_to_id.'),
    },
    json: { body: commentText },
    keep: commentFields,
  }),

  tool(`request_reviewers: POST ${PULL_REQUEST}/requested_reviewers`, {
    title: 'Request reviews',
    description: 'Ask users or teams to review a pull request. They are notified. The author cannot be asked.',
    scopes,
    path: pullRequest,
    json: {
      reviewers: optional(logins('Logins of users, from list_assignees or search_users.')),
      team_reviewers: optional(list(text('', 100), 'Slugs of teams of the organization, from list_teams.', 10)),
    },
    needsOneOf: ['reviewers', 'team_reviewers'],
    keep: 'number html_url requested_reviewers { login } requested_teams { slug }',
  }),
]
