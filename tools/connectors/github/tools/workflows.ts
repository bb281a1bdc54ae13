import { Type } from '@sinclair/typebox'
import { members, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { done, file, log } from '../../../../services/definitions/http-tool.ts'
import { overwrites, tool, triggers } from '../../../../services/definitions/tool.ts'
import { logPage } from '../../shared-arguments.ts'
import { id, listPages, listQuery, name, REPOSITORY, ref, repository, scopes, sha } from '../arguments.ts'

const commit = {
  ...repository,
  ref: ref('A commit, a branch or a tag. For a pull request: head.sha of get_pull_request.'),
}

const ACTIONS = `${REPOSITORY}/actions`
const RUN = `${ACTIONS}/runs/{run_id}`
const LOG = `${ACTIONS}/jobs/{job_id}/logs`
const run = { ...repository, run_id: id('The ID of a run, from list_workflow_runs or list_runs_of_workflow.') }
const job = { ...repository, job_id: id('The ID of a job, from list_workflow_jobs.') }
const workflow_id = Type.Union(
  [Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 255, pattern: '^[^/]*[^/.]$' })],
  {
    description: 'The ID of a workflow, from list_workflows, or the name of its file: ci.yml.',
  },
)
const runFields = `id name display_title workflow_id run_number run_attempt status conclusion event head_branch head_sha
  actor { login } html_url created_at updated_at`
const runStatus = [
  'success',
  'failure',
  'cancelled',
  'timed_out',
  'action_required',
  'in_progress',
  'queued',
  'waiting',
] as const
const runFilters = {
  branch: optional(name('Only runs of this branch.')),
  status: optional(oneOf([...runStatus, 'completed'], 'Only runs with this status or conclusion.')),
  event: optional(text('Only runs started by this event: push, pull_request, schedule.', 50)),
  actor: optional(text('Only runs that this login started.', 100)),
  head_sha: optional(sha('Only runs of this commit: head.sha of get_pull_request.')),
  created: optional(text('Only runs of these days: >=2026-03-01, or 2026-03-01..2026-03-31.', 60)),
  ...listQuery,
}
const runPages = { style: 'link', items: '/workflow_runs' } as const

/** GitHub tools for checks and statuses of commits, and for Actions. */
export const workflowTools = [
  tool(`list_check_runs: GET ${REPOSITORY}/commits/{ref}/check-runs`, {
    title: 'List check runs',
    description:
      'List the checks of a commit, a branch or a pull request: whether tests, builds and linters succeeded. Other ' +
      'services report statuses instead: see get_commit_status. Why one failed: list_check_annotations, or ' +
      'get_job_log for Actions.',
    scopes,
    path: commit,
    query: {
      check_name: optional(text('Only checks with this name.', 255)),
      status: optional(oneOf(['queued', 'in_progress', 'completed'], 'Only check runs with this status.')),
      ...listQuery,
    },
    pagination: { style: 'link', items: '/check_runs' },
    keep: `id name status conclusion started_at completed_at html_url details_url app { slug }
    output { title summary annotations_count }`,
  }),

  tool(`list_check_annotations: GET ${REPOSITORY}/check-runs/{check_run_id}/annotations`, {
    title: 'List the annotations of a check run',
    description: 'List what a check reported about lines of files: errors of compilers, linters and tests.',
    scopes,
    path: { ...repository, check_run_id: id('The ID of a check run, from list_check_runs.') },
    query: listQuery,
    pagination: listPages,
    keep: 'path start_line end_line annotation_level title message raw_details',
  }),

  tool(`get_commit_status: GET ${REPOSITORY}/commits/{ref}/status`, {
    title: 'Get the status of a commit',
    description:
      'Read the statuses that services reported for a commit, a branch or a pull request, and the combined state. ' +
      'Pending with no statuses means that none was reported. Checks of GitHub Actions: list_check_runs.',
    scopes,
    path: commit,
    query: { per_page: 100 },
    keep: 'state sha total_count statuses { context state description target_url updated_at }',
  }),

  tool(`list_workflows: GET ${ACTIONS}/workflows`, {
    title: 'List workflows',
    description: 'List the GitHub Actions workflows of a repository: IDs, names, files, and whether they are active.',
    scopes,
    path: repository,
    query: listQuery,
    pagination: { style: 'link', items: '/workflows' },
    keep: 'id name path state html_url',
  }),

  tool(`run_workflow: POST ${ACTIONS}/workflows/{workflow_id}/dispatches`, {
    title: 'Run a workflow',
    description:
      'Start a workflow that has a workflow_dispatch trigger, such as a deployment. Returns the ID of the run: ' +
      'follow it with get_workflow_run.',
    annotations: triggers,
    scopes,
    path: { ...repository, workflow_id },
    json: {
      ref: name('The branch or tag to run on.'),
      inputs: optional(members('The inputs by name, as the file of the workflow declares them.', 25)),
      return_run_details: true,
    },
    keep: 'workflow_run_id html_url',
  }),

  tool(`list_workflow_runs: GET ${ACTIONS}/runs`, {
    title: 'List workflow runs',
    description:
      'List the runs of all workflows of a repository, newest first: status, conclusion, branch and commit. For one ' +
      'workflow use list_runs_of_workflow.',
    scopes,
    path: repository,
    query: runFilters,
    pagination: runPages,
    keep: runFields,
  }),

  tool(`list_runs_of_workflow: GET ${ACTIONS}/workflows/{workflow_id}/runs`, {
    title: 'List the runs of a workflow',
    description: 'List the runs of one workflow, newest first, such as the last deployments.',
    scopes,
    path: { ...repository, workflow_id },
    query: runFilters,
    pagination: runPages,
    keep: runFields,
  }),

  tool(`get_workflow_run: GET ${RUN}`, {
    title: 'Get a workflow run',
    description: 'Read one run: status, conclusion, commit, and who started it. Its jobs: list_workflow_jobs.',
    scopes,
    path: run,
    keep: `${runFields} path run_started_at triggering_actor { login } pull_requests { number } head_commit { message }`,
  }),

  tool(`list_workflow_jobs: GET ${RUN}/jobs`, {
    title: 'List the jobs of a run',
    description: 'List the jobs of a workflow run with their steps: which one failed. What it printed: get_job_log.',
    scopes,
    path: run,
    query: listQuery,
    pagination: { style: 'link', items: '/jobs' },
    keep: 'id name status conclusion started_at completed_at html_url runner_name steps { number name status conclusion }',
  }),

  tool(`get_job_log: GET ${LOG}`, {
    title: 'Read the log of a job',
    description:
      'Read the log of a finished job. Of a long log, returns the end, and a cursor for the part before. ' +
      'download_job_log returns the whole log.',
    scopes,
    path: { ...job, ...logPage },
    returns: log(),
  }),

  tool(`download_job_log: GET ${LOG}`, {
    title: 'Download the log of a job',
    description:
      'Store the whole log of a finished job as a file. Returns a temporary link. To read it use get_job_log.',
    scopes,
    path: job,
    returns: file('job-{job_id}.log'),
  }),

  tool(`rerun_workflow: POST ${RUN}/rerun`, {
    title: 'Run a workflow again',
    description:
      'Run all jobs of a finished run again, with the same commit. For only the failed jobs use rerun_failed_jobs.',
    annotations: triggers,
    scopes,
    path: run,
    returns: done('Run {run_id} starts again.'),
  }),

  tool(`rerun_failed_jobs: POST ${RUN}/rerun-failed-jobs`, {
    title: 'Run failed jobs again',
    description: 'Run the failed jobs of a finished run again, and the jobs that depend on them.',
    annotations: triggers,
    scopes,
    path: run,
    returns: done('The failed jobs of run {run_id} start again.'),
  }),

  tool(`cancel_workflow_run: POST ${RUN}/cancel`, {
    title: 'Cancel a workflow run',
    description: 'Stop a run that is queued or in progress.',
    annotations: overwrites,
    scopes,
    path: run,
    returns: done('Run {run_id} is being canceled.'),
  }),

  tool(`list_workflow_artifacts: GET ${RUN}/artifacts`, {
    title: 'List the artifacts of a run',
    description:
      'List the files that a run stored, such as builds and reports. Get one with download_workflow_artifact.',
    scopes,
    path: run,
    query: listQuery,
    pagination: { style: 'link', items: '/artifacts' },
    keep: 'id name size_in_bytes expired created_at expires_at',
  }),

  tool(`download_workflow_artifact: GET ${ACTIONS}/artifacts/{artifact_id}/zip`, {
    title: 'Download an artifact of a run',
    description: 'Download what a run stored as a zip. Returns a temporary link.',
    scopes,
    path: { ...repository, artifact_id: id('The ID of an artifact, from list_workflow_artifacts.') },
    returns: file('artifact-{artifact_id}.zip'),
  }),
]
