import { integer, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { file, log } from '../../../../services/definitions/http-tool.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { instant, logPage } from '../../shared-arguments.ts'
import { listPages, listQuery, project, scopes } from '../arguments.ts'

const JOB = '/projects/{project}/jobs/{job_id}'
const pipeline_id = integer('The ID of a pipeline, from list_pipelines.', 1, Number.MAX_SAFE_INTEGER)
const job_id = integer('The ID of a job, from list_pipeline_jobs or list_jobs.', 1, Number.MAX_SAFE_INTEGER)
const pipelineFields = 'id iid status source ref sha name web_url created_at updated_at'
const jobFields = `id name stage status ref failure_reason allow_failure duration queued_duration web_url created_at started_at
  finished_at pipeline { id status } user { username }`
const jobStatus = optional(
  oneOf(
    ['created', 'pending', 'running', 'failed', 'success', 'canceled', 'skipped', 'manual'],
    'Only jobs with this status.',
  ),
)

/** GitLab's tools for pipelines and their jobs. */
export const pipelineTools = [
  tool('list_pipelines: GET /projects/{project}/pipelines', {
    title: 'List pipelines',
    description: 'List the pipelines of a project, the newest first. Returns IDs, statuses, branches and commits.',
    scopes,
    path: { project },
    query: {
      ref: optional(text('Only of this branch or tag.', 255)),
      sha: optional(text('Only of this commit.', 64)),
      status: optional(
        oneOf(
          ['pending', 'running', 'success', 'failed', 'canceled', 'skipped', 'manual', 'scheduled'],
          'Only pipelines with this status.',
        ),
      ),
      updated_after: optional(instant('Only pipelines updated since this time.')),
      ...listQuery,
    },
    pagination: listPages,
    keep: pipelineFields,
  }),

  tool('get_pipeline: GET /projects/{project}/pipelines/{pipeline_id}', {
    title: 'Get a pipeline',
    description: 'Read one pipeline: status, commit, who started it, and how long it took. Jobs: list_pipeline_jobs.',
    scopes,
    path: { project, pipeline_id },
    keep: `${pipelineFields} user { username } started_at finished_at duration queued_duration coverage yaml_errors`,
  }),

  tool('list_pipeline_jobs: GET /projects/{project}/pipelines/{pipeline_id}/jobs', {
    title: 'List the jobs of a pipeline',
    description: 'List the jobs of a pipeline with their statuses. Read what a job printed with get_job_log.',
    scopes,
    path: { project, pipeline_id },
    query: { scope: jobStatus, ...listQuery },
    pagination: listPages,
    keep: jobFields,
  }),

  tool('run_pipeline: POST /projects/{project}/pipeline', {
    title: 'Run a pipeline',
    description: 'Start a new pipeline for a branch or tag. Follow it with get_pipeline.',
    scopes,
    path: { project },
    json: { ref: text('The branch or tag.', 255) },
    keep: pipelineFields,
  }),

  tool('list_jobs: GET /projects/{project}/jobs', {
    title: 'List jobs',
    description:
      'List the jobs of all pipelines of a project, the newest first. For one pipeline use list_pipeline_jobs.',
    scopes,
    path: { project },
    query: { scope: jobStatus, ...listQuery },
    pagination: listPages,
    keep: jobFields,
  }),

  tool(`get_job: GET ${JOB}`, {
    title: 'Get a job',
    description: 'Read one job: status, reason of a failure, stage, times and pipeline. What it printed: get_job_log.',
    scopes,
    path: { project, job_id },
    keep: jobFields,
  }),

  tool(`get_job_log: GET ${JOB}/trace`, {
    title: 'Read the log of a job',
    description:
      'Read the log of a job. Of a long log, returns the end, and a cursor for the part before. download_job_log returns the whole log.',
    scopes,
    path: { project, job_id, ...logPage },
    returns: log(),
  }),

  tool(`download_job_log: GET ${JOB}/trace`, {
    title: 'Download the log of a job',
    description:
      'Store the whole log of a job as a file. Returns a temporary link. To read a short one use get_job_log.',
    scopes,
    path: { project, job_id },
    returns: file('job-{job_id}.log'),
  }),

  tool(`play_job: POST ${JOB}/play`, {
    title: 'Start a manual job',
    description: 'Start a job with the status manual, such as a deployment.',
    scopes,
    path: { project, job_id },
    keep: jobFields,
  }),

  tool(`retry_job: POST ${JOB}/retry`, {
    title: 'Retry a job',
    description: 'Run a failed or finished job again. Returns the new job.',
    scopes,
    path: { project, job_id },
    keep: jobFields,
  }),
]
