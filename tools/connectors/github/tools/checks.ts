import { oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { id, listPages, listQuery, REPOSITORY, ref, repository, scopes } from '../arguments.ts'

const path = {
  ...repository,
  ref: ref('A commit, a branch or a tag. For a pull request: head.sha of get_pull_request.'),
}

const listCheckRuns = tool(`list_check_runs: GET ${REPOSITORY}/commits/{ref}/check-runs`, {
  title: 'List check runs',
  description:
    'List the checks of a commit, a branch or a pull request: whether tests, builds and linters succeeded. Other services ' +
    'report statuses instead: see get_commit_status. Why one failed: list_check_annotations, or get_job_log for Actions.',
  scopes,
  path,
  query: {
    check_name: optional(text('Only checks with this name.', 255)),
    status: optional(oneOf(['queued', 'in_progress', 'completed'])),
    ...listQuery,
  },
  pagination: { style: 'link', items: '/check_runs' },
  keep: `id name status conclusion started_at completed_at html_url details_url app { slug }
    output { title summary annotations_count }`,
})

const listCheckAnnotations = tool(`list_check_annotations: GET ${REPOSITORY}/check-runs/{check_run_id}/annotations`, {
  title: 'List the annotations of a check run',
  description: 'List what a check reported about lines of files: errors of compilers, linters and tests.',
  scopes,
  path: { ...repository, check_run_id: id('The ID of a check run, from list_check_runs.') },
  query: listQuery,
  pagination: listPages,
  keep: 'path start_line end_line annotation_level title message raw_details',
})

const getCommitStatus = tool(`get_commit_status: GET ${REPOSITORY}/commits/{ref}/status`, {
  title: 'Get the status of a commit',
  description:
    'Read the statuses that services reported for a commit, a branch or a pull request, and the state of all together. ' +
    'Pending with no statuses means that none was reported. Checks of GitHub Actions: list_check_runs.',
  scopes,
  path,
  query: { per_page: 100 },
  keep: 'state sha total_count statuses { context state description target_url updated_at }',
})

/** GitHub tools for checks and statuses of commits. */
export const checkTools = [listCheckRuns, listCheckAnnotations, getCommitStatus]
