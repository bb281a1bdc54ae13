/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/tools/connectors.test.ts > TAP > every connector, and every tool of one, shows on the wire what was reviewed > github 1`] = `
{
  "entry": {
    "id": "github",
    "category": "developer",
    "name": "GitHub",
    "description": "Search code, issues and repositories; read and write files, issues, comments and pull requests; download a repository.",
    "url": "http://localhost/connectors/github",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "repo"
      ],
      "scope_descriptions": {
        "repo": "Read and write your repositories, private ones too: code, issues, pull requests and workflow runs."
      },
      "optional_scopes": [
        "read:org",
        "workflow"
      ],
      "optional_scope_descriptions": {
        "read:org": "Read which organizations and teams you belong to.",
        "workflow": "Add and change GitHub Actions workflow files."
      },
      "api_key_connect": true,
      "api_key_probe": true,
      "oauth_configured": true
    },
    "credential_source": {
      "active": "platform",
      "org_clients_enabled": true
    }
  },
  "tools": [
    {
      "name": "github__search_repositories",
      "title": "Search repositories",
      "description": "Search repositories by words and qualifiers. Example: org:octo-org language:typescript gateway in:name,description. Answers with full name, description, language, stars and default branch.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 256,
            "description": "Words and qualifiers: user:, org:, language:, topic:, stars:>100, pushed:>2026-01-01.",
            "type": "string"
          },
          "sort": {
            "description": "Best match when left out.",
            "type": "string",
            "enum": [
              "stars",
              "forks",
              "updated"
            ]
          },
          "order": {
            "type": "string",
            "enum": [
              "asc",
              "desc"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search repositories",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__list_repositories",
      "title": "List your repositories",
      "description": "List the repositories you own, work on or reach through an organization, private ones too.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "visibility": {
            "type": "string",
            "enum": [
              "all",
              "public",
              "private"
            ]
          },
          "sort": {
            "type": "string",
            "enum": [
              "created",
              "updated",
              "pushed",
              "full_name"
            ]
          },
          "direction": {
            "type": "string",
            "enum": [
              "asc",
              "desc"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List your repositories",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__list_commits",
      "title": "List commits",
      "description": "List commits, the newest first: sha, message, author and date. Narrow by branch, path, author or time.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "sha": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Begin at this branch, tag or commit.",
            "type": "string"
          },
          "path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "Only commits that touch this file or directory.",
            "type": "string"
          },
          "author": {
            "minLength": 1,
            "maxLength": 254,
            "description": "A login or an e-mail address.",
            "type": "string"
          },
          "since": {
            "format": "date-time",
            "description": "Only commits after. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "until": {
            "format": "date-time",
            "description": "Only commits before. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List commits",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__list_branches",
      "title": "List branches",
      "description": "List the branches of a repository: name, newest commit, and whether it is protected.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List branches",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__create_branch",
      "title": "Create a branch",
      "description": "Make a branch that begins at a commit. The sha of another branch comes from list_branches.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "branch",
          "sha"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The name of the new branch: feature/search.",
            "type": "string"
          },
          "sha": {
            "pattern": "^[0-9a-f]{40}$",
            "description": "The commit it begins at, all 40 digits.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a branch",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "github__search_code",
      "title": "Search code",
      "description": "Search the text of files on default branches. At least one word is needed beside qualifiers. Example: createServer repo:octo-org/app language:typescript path:src. Answers with path, repository and the lines that match; read a file with get_file_contents. GitHub allows 10 a minute.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 256,
            "description": "Words and qualifiers: repo:, org:, path:, language:, extension:, filename:.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search code",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__get_file_contents",
      "title": "Read a file",
      "description": "Read the text of a file. For what a directory has in it, and for the sha of a file, use get_directory; for all files at once download_archive.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "path"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "From the root of the repository, no slash at the beginning: src/index.ts.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch, a tag or a commit; the default branch when left out.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a file",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__get_directory",
      "title": "Look into a directory",
      "description": "List what a directory has in it: name, path, type, size and sha of each entry, at most 1000. Of a file: its own size and sha, which create_or_update_file wants.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "From the root of the repository, no slash at the beginning: src/index.ts. The root when left out.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch, a tag or a commit; the default branch when left out.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Look into a directory",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__create_or_update_file",
      "title": "Write a file",
      "description": "Write one file in one commit. content is the whole file in base64, also where it is text: encode it first. To replace a file give its sha (from get_directory); without it a file that exists is refused. Files under .github/workflows need the grant \\"workflow\\". Answers with the commit.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "path",
          "message",
          "content"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "From the root of the repository, no slash at the beginning: src/index.ts.",
            "type": "string"
          },
          "message": {
            "minLength": 1,
            "maxLength": 65536,
            "description": "The commit message.",
            "type": "string"
          },
          "content": {
            "maxLength": 1400000,
            "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
            "description": "The whole file in base64, also where it is text: SGVsbG8K is “Hello” with a line break.",
            "type": "string"
          },
          "branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch to commit to; the default branch when left out.",
            "type": "string"
          },
          "sha": {
            "pattern": "^[0-9a-f]{40}$",
            "description": "The sha of the file that is replaced.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Write a file",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__download_archive",
      "title": "Download a repository",
      "description": "Download all files of a repository at one commit as a zip. Answers with a link that works for a short while.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "ref"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch, a tag or a commit; HEAD for the default branch.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Download a repository",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__search_issues",
      "title": "Search issues and pull requests",
      "description": "Search issues and pull requests in all repositories you can see, with GitHub search syntax. Give is:issue or is:pull-request. Example: repo:octo-org/app is:issue is:open label:bug author:@me crash. Answers with number, title, state, repository, author, labels and dates; read one with get_issue or get_pull_request.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 256,
            "description": "Words and qualifiers: repo:, org:, is:, label:, author:, assignee:, involves:, updated:>2026-01-01.",
            "type": "string"
          },
          "sort": {
            "description": "Best match when left out.",
            "type": "string",
            "enum": [
              "created",
              "updated",
              "comments",
              "reactions"
            ]
          },
          "order": {
            "type": "string",
            "enum": [
              "asc",
              "desc"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search issues and pull requests",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__list_issues",
      "title": "List issues",
      "description": "List the issues of one repository, the newest first. GitHub counts pull requests as issues: those have pull_request.html_url. Answers with number, title, state, author, labels, assignees and dates, without the text.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "state": {
            "default": "open",
            "description": "open when left out.",
            "type": "string",
            "enum": [
              "open",
              "closed",
              "all"
            ]
          },
          "labels": {
            "maxItems": 100,
            "description": "Only issues that have all of these labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 50,
              "type": "string"
            }
          },
          "assignee": {
            "minLength": 1,
            "maxLength": 100,
            "description": "A login; none for nobody, * for anybody.",
            "type": "string"
          },
          "creator": {
            "minLength": 1,
            "maxLength": 100,
            "description": "The login of the author.",
            "type": "string"
          },
          "since": {
            "format": "date-time",
            "description": "Only issues updated since then. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "sort": {
            "type": "string",
            "enum": [
              "created",
              "updated",
              "comments"
            ]
          },
          "direction": {
            "type": "string",
            "enum": [
              "asc",
              "desc"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List issues",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__get_issue",
      "title": "Get an issue",
      "description": "Read one issue (or the issue side of a pull request): its text, state, labels, assignees, milestone and dates. Its comments come from list_issue_comments.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "issue_number"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "issue_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the issue: 42 of #42.",
            "type": "integer"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get an issue",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__create_issue",
      "title": "Create an issue",
      "description": "Open a new issue. Labels that do not exist yet are made. Answers with the number and URL. Search first whether there is one already.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "title"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 256,
            "description": "One line.",
            "type": "string"
          },
          "body": {
            "maxLength": 65536,
            "description": "The text. GitHub-flavoured Markdown.",
            "type": "string"
          },
          "labels": {
            "maxItems": 100,
            "description": "Labels by name.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 50,
              "type": "string"
            }
          },
          "assignees": {
            "maxItems": 10,
            "description": "The logins it is assigned to.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 100,
              "type": "string"
            }
          },
          "milestone": {
            "minimum": 1,
            "description": "The number of a milestone; get_issue has it of the issues in it.",
            "type": "integer"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create an issue",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "github__update_issue",
      "title": "Update an issue",
      "description": "Change an issue or pull request: title, text, state, labels, assignees, milestone. What is left out stays. labels and assignees replace what was there, so give the whole list. To close: state closed, with a state_reason.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "issue_number"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "issue_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the issue: 42 of #42.",
            "type": "integer"
          },
          "title": {
            "minLength": 1,
            "maxLength": 256,
            "type": "string"
          },
          "body": {
            "maxLength": 65536,
            "description": "The text, whole. GitHub-flavoured Markdown.",
            "type": "string"
          },
          "state": {
            "type": "string",
            "enum": [
              "open",
              "closed"
            ]
          },
          "state_reason": {
            "description": "Why state changes.",
            "type": "string",
            "enum": [
              "completed",
              "not_planned",
              "duplicate",
              "reopened"
            ]
          },
          "labels": {
            "maxItems": 100,
            "description": "All labels it has from now on.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 50,
              "type": "string"
            }
          },
          "assignees": {
            "maxItems": 10,
            "description": "All logins it is assigned to from now on.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 100,
              "type": "string"
            }
          },
          "milestone": {
            "minimum": 1,
            "description": "The number of a milestone; get_issue has it of the issues in it.",
            "type": "integer"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update an issue",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__list_issue_comments",
      "title": "List comments",
      "description": "List the comments of an issue or pull request, the oldest first: id, author, text and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "issue_number"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "issue_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the issue or pull request: 42 of #42.",
            "type": "integer"
          },
          "since": {
            "format": "date-time",
            "description": "Only comments updated since then. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List comments",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__add_comment",
      "title": "Comment",
      "description": "Comment on an issue or pull request; everyone who follows it is told. Answers with the id and URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "issue_number",
          "body"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "issue_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the issue or pull request: 42 of #42.",
            "type": "integer"
          },
          "body": {
            "maxLength": 65536,
            "description": "The comment. GitHub-flavoured Markdown.",
            "type": "string",
            "minLength": 1
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Comment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "github__list_pull_requests",
      "title": "List pull requests",
      "description": "List the pull requests of one repository, the newest first: number, title, state, branches, author and dates. For those of a person or across repositories use search_issues with is:pull-request.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "state": {
            "default": "open",
            "description": "open when left out.",
            "type": "string",
            "enum": [
              "open",
              "closed",
              "all"
            ]
          },
          "head": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only from this branch, with its owner: octo-org:new-feature.",
            "type": "string"
          },
          "base": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only into this branch: main.",
            "type": "string"
          },
          "sort": {
            "type": "string",
            "enum": [
              "created",
              "updated",
              "popularity",
              "long-running"
            ]
          },
          "direction": {
            "type": "string",
            "enum": [
              "asc",
              "desc"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List pull requests",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__get_pull_request",
      "title": "Get a pull request",
      "description": "Read one pull request: its text, branches, whether it can be merged (mergeable is null while GitHub works it out: ask again), reviewers and how much it changes. Its files come from list_pull_request_files.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "pull_number"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "pull_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the pull request: 42 of #42.",
            "type": "integer"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a pull request",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__list_pull_request_files",
      "title": "List the files of a pull request",
      "description": "List the files a pull request changes: name, status, lines added and deleted, and the patch (left out by GitHub where it is large or binary). At most 3000 files.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "pull_number"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "pull_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the pull request: 42 of #42.",
            "type": "integer"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 10,
            "description": "How many results a page has at most (default 10).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List the files of a pull request",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__get_pull_request_diff",
      "title": "Read the diff of a pull request",
      "description": "Read all changes of a pull request as one unified diff. GitHub refuses it above 20,000 lines or 300 files.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "pull_number"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "pull_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the pull request: 42 of #42.",
            "type": "integer"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read the diff of a pull request",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__create_pull_request",
      "title": "Open a pull request",
      "description": "Open a pull request from a branch that is already at GitHub. Answers with its number and URL. A second one between the same branches is refused.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "title",
          "head",
          "base"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 256,
            "description": "One line.",
            "type": "string"
          },
          "head": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch with the changes; from a fork with its owner: mona:new-feature.",
            "type": "string"
          },
          "base": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch it is to be merged into: main.",
            "type": "string"
          },
          "body": {
            "maxLength": 65536,
            "description": "What it does and why. GitHub-flavoured Markdown.",
            "type": "string"
          },
          "draft": {
            "description": "Not ready for review.",
            "type": "boolean"
          },
          "maintainer_can_modify": {
            "description": "Whether maintainers may push to the branch of a fork.",
            "type": "boolean"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Open a pull request",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "github__create_review",
      "title": "Review a pull request",
      "description": "Give a review of a pull request: approve it, ask for changes, or only comment. body is needed for the last two. You cannot approve your own.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "pull_number",
          "event"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "pull_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the pull request: 42 of #42.",
            "type": "integer"
          },
          "event": {
            "type": "string",
            "enum": [
              "APPROVE",
              "REQUEST_CHANGES",
              "COMMENT"
            ]
          },
          "body": {
            "maxLength": 65536,
            "description": "The text of the review. GitHub-flavoured Markdown.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Review a pull request",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "github__merge_pull_request",
      "title": "Merge a pull request",
      "description": "Merge a pull request into its base branch. Give sha (head.sha of get_pull_request) so that nothing is merged that nobody looked at. Answers with the commit that was made.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "owner",
          "repo",
          "pull_number"
        ],
        "properties": {
          "owner": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The user or organization the repository belongs to: octo-org in octo-org/app.",
            "type": "string"
          },
          "repo": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
            "description": "The name of the repository without its owner: app in octo-org/app.",
            "type": "string"
          },
          "pull_number": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number of the pull request: 42 of #42.",
            "type": "integer"
          },
          "merge_method": {
            "default": "merge",
            "description": "merge when left out.",
            "type": "string",
            "enum": [
              "merge",
              "squash",
              "rebase"
            ]
          },
          "commit_title": {
            "minLength": 1,
            "maxLength": 256,
            "type": "string"
          },
          "commit_message": {
            "maxLength": 65536,
            "type": "string"
          },
          "sha": {
            "pattern": "^[0-9a-f]{40}$",
            "description": "Merge only while this is the head of the pull request.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Merge a pull request",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector, and every tool of one, shows on the wire what was reviewed > jira 1`] = `
{
  "entry": {
    "id": "jira",
    "category": "productivity",
    "name": "Jira",
    "description": "Search issues with JQL; read, create, change, assign and move them; comment; upload and download attachments; see projects and people.",
    "url": "http://localhost/connectors/jira",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "read:jira-work",
        "write:jira-work",
        "read:jira-user",
        "offline_access"
      ],
      "scope_descriptions": {
        "read:jira-work": "Read the projects, issues, comments and attachments you can see.",
        "write:jira-work": "Create and change issues, comments and attachments in your name.",
        "read:jira-user": "See the people of the site: names, and addresses where they show them.",
        "offline_access": "Stay connected while you are away."
      },
      "oauth_configured": true
    },
    "credential_source": {
      "active": "platform",
      "org_clients_enabled": true
    }
  },
  "tools": [
    {
      "name": "jira__search_issues",
      "title": "Search issues",
      "description": "Search issues with JQL. Example: project = ENG AND statusCategory != Done AND assignee = currentUser() ORDER BY updated DESC; words: text ~ \\"login crash\\". A query that narrows by nothing is refused. Answers with key, summary, status, type, priority, people and dates; read one with get_issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "jql"
        ],
        "properties": {
          "jql": {
            "minLength": 1,
            "maxLength": 10000,
            "description": "JQL that narrows by something, such as project = ENG or assignee = currentUser().",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "How many results a page has at most (default 25).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search issues",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__count_issues",
      "title": "Count issues",
      "description": "Count the issues that JQL finds, about right: what changed in the last seconds may be missing.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "jql"
        ],
        "properties": {
          "jql": {
            "minLength": 1,
            "maxLength": 10000,
            "description": "JQL that narrows by something, such as project = ENG or assignee = currentUser().",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Count issues",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__get_issue",
      "title": "Get an issue",
      "description": "Read one issue: description (HTML, under renderedFields), status, people, dates, links, sub-tasks and attachments (download_attachment takes their ids). Its comments come from list_comments.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get an issue",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__list_transitions",
      "title": "List transitions",
      "description": "List where an issue can go from the status it is in: ids for transition_issue, and the status each leads to.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List transitions",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__create_issue",
      "title": "Create an issue",
      "description": "Create an issue in a project. The types a project has come from list_issue_types. Answers with its key. Search first whether there is one already.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "issue_type",
          "summary"
        ],
        "properties": {
          "project": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}|[0-9]{1,18})$",
            "description": "The key of the project, ENG of ENG-123; it comes from list_projects.",
            "type": "string"
          },
          "issue_type": {
            "minLength": 1,
            "maxLength": 60,
            "description": "By name: Task, Bug, Story, Epic, Sub-task.",
            "type": "string"
          },
          "summary": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "One line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "What it is about. Plain text; line breaks are kept, markup is not read.",
            "type": "string"
          },
          "assignee_id": {
            "pattern": "^[A-Za-z0-9:_-]{1,128}$",
            "description": "Who does it. An account id; it comes from search_users.",
            "type": "string"
          },
          "priority": {
            "minLength": 1,
            "maxLength": 60,
            "description": "By name: Highest, High, Medium, Low, Lowest.",
            "type": "string"
          },
          "labels": {
            "maxItems": 50,
            "description": "Labels, without spaces.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^\\\\S+$",
              "type": "string"
            }
          },
          "parent": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue it is a part of: an epic, or that of a sub-task.",
            "type": "string"
          },
          "due_date": {
            "format": "date",
            "description": "When it is due. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create an issue",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__update_issue",
      "title": "Update an issue",
      "description": "Change fields of an issue; what is left out stays. labels replaces all it has, description the whole text. For the status use transition_issue, for the assignee assign_issue. Give at least one argument beside issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "summary": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "One line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "What it is about, whole. Plain text; line breaks are kept, markup is not read.",
            "type": "string"
          },
          "priority": {
            "minLength": 1,
            "maxLength": 60,
            "description": "By name: Highest, High, Medium, Low, Lowest.",
            "type": "string"
          },
          "labels": {
            "maxItems": 50,
            "description": "Labels, without spaces.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^\\\\S+$",
              "type": "string"
            }
          },
          "parent": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue it is a part of.",
            "type": "string"
          },
          "due_date": {
            "format": "date",
            "description": "When it is due. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update an issue",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__assign_issue",
      "title": "Assign an issue",
      "description": "Give an issue to a person, or to nobody (account_id null).",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "account_id"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "account_id": {
            "anyOf": [
              {
                "pattern": "^[A-Za-z0-9:_-]{1,128}$",
                "description": "Who does it. An account id; it comes from search_users.",
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Assign an issue",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__transition_issue",
      "title": "Move an issue",
      "description": "Move an issue to another status by one of the transitions of list_transitions.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "transition_id"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "transition_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The id of the transition; it comes from list_transitions.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Move an issue",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__link_issues",
      "title": "Link two issues",
      "description": "Say how two issues belong together: with type Blocks, inward_issue blocks outward_issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "type",
          "inward_issue",
          "outward_issue"
        ],
        "properties": {
          "type": {
            "minLength": 1,
            "maxLength": 60,
            "description": "By name: Blocks, Relates, Duplicate, Cloners.",
            "type": "string"
          },
          "inward_issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue that blocks, duplicates, relates: ENG-1.",
            "type": "string"
          },
          "outward_issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The other one: ENG-2.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Link two issues",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__list_comments",
      "title": "List comments",
      "description": "List the comments of an issue: id, author, text (HTML, renderedBody) and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "order": {
            "description": "created (the oldest first, the usual) or -created.",
            "type": "string",
            "enum": [
              "created",
              "-created"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "How many results a page has at most (default 25).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List comments",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__add_comment",
      "title": "Comment",
      "description": "Comment on an issue; everyone who watches it is told. Answers with the id of the comment.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "body"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The comment. Plain text; line breaks are kept, markup is not read.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Comment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__update_comment",
      "title": "Change a comment",
      "description": "Replace the text of a comment.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "comment_id",
          "body"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "comment_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The id of the comment; it comes from list_comments.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The comment, whole. Plain text; line breaks are kept, markup is not read.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Change a comment",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__download_attachment",
      "title": "Download an attachment",
      "description": "Download a file that is attached to an issue. Answers with a link that works for a short while.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "attachment_id"
        ],
        "properties": {
          "attachment_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The id of the attachment; it comes from get_issue.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "What the file is called: report.csv.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Download an attachment",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__add_attachment",
      "title": "Attach a file",
      "description": "Attach a new file to an issue, from text or from base64. Answers with its id, name and size.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "file_name",
          "content"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue, ENG-123, or its id.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "What the file is called: report.csv.",
            "type": "string"
          },
          "content": {
            "minLength": 1,
            "maxLength": 1400000,
            "description": "The whole file.",
            "type": "string"
          },
          "encoding": {
            "default": "text",
            "description": "How content is written; text when left out.",
            "type": "string",
            "enum": [
              "text",
              "base64"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Attach a file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__delete_attachment",
      "title": "Delete an attachment",
      "description": "Delete a file from its issue; it cannot be brought back.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "attachment_id"
        ],
        "properties": {
          "attachment_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The id of the attachment; it comes from get_issue.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Delete an attachment",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__list_projects",
      "title": "List projects",
      "description": "List the projects you can see, or those with some words in name or key: key, name, type and lead.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 200,
            "description": "A part of the name or the key.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List projects",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__list_issue_types",
      "title": "List issue types",
      "description": "List the types of issue that you can create in a project, for create_issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}|[0-9]{1,18})$",
            "description": "The key of the project, ENG of ENG-123; it comes from list_projects.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List issue types",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__search_users",
      "title": "Search people",
      "description": "Find people by name or e-mail address. Answers with account ids, for assign_issue and JQL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 200,
            "description": "The beginning of a name or an address: ada.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search people",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__get_myself",
      "title": "Who am I",
      "description": "Read who is connected: account id, name and time zone.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Who am I",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector, and every tool of one, shows on the wire what was reviewed > linear 1`] = `
{
  "entry": {
    "id": "linear",
    "category": "productivity",
    "name": "Linear",
    "description": "Search, read, create and change issues; comment; see teams, states, labels, cycles, projects and people.",
    "url": "http://localhost/connectors/linear",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "read",
        "write",
        "issues:create",
        "comments:create"
      ],
      "scope_descriptions": {
        "read": "Read the issues, projects, teams and people you can see.",
        "write": "Change issues and projects in your name.",
        "issues:create": "Create issues in your name.",
        "comments:create": "Comment on issues in your name."
      },
      "api_key_connect": true,
      "api_key_probe": true,
      "oauth_configured": true
    },
    "credential_source": {
      "active": "platform",
      "org_clients_enabled": true
    }
  },
  "tools": [
    {
      "name": "linear__search_issues",
      "title": "Search issues",
      "description": "Search issues by words in title and description (and comments, if asked), the best match first. To list issues by state, team or person use list_issues. Answers with identifier, title, state, team, assignee and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "term"
        ],
        "properties": {
          "term": {
            "minLength": 1,
            "maxLength": 500,
            "description": "Words, no syntax: login crash safari.",
            "type": "string"
          },
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only of the team with this key: ENG of ENG-123. It comes from list_teams.",
            "type": "string"
          },
          "include_comments": {
            "description": "Search comments too.",
            "type": "boolean"
          },
          "include_archived": {
            "description": "Find archived issues too.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "How many results a page has at most (default 25).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search issues",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_issues",
      "title": "List issues",
      "description": "List issues by team, state, person, project, label, priority or time; all that is given must hold. Example: what I have in progress: assigned_to_me true, state_types [\\"started\\"].",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only of the team with this key: ENG of ENG-123. It comes from list_teams.",
            "type": "string"
          },
          "assigned_to_me": {
            "description": "true: only mine; false: only those that are not.",
            "type": "boolean"
          },
          "assignee_email": {
            "minLength": 3,
            "maxLength": 254,
            "description": "Only issues of the person with this address.",
            "type": "string"
          },
          "state": {
            "minLength": 1,
            "maxLength": 100,
            "description": "Only in the state of this name: In Review.",
            "type": "string"
          },
          "state_types": {
            "minItems": 1,
            "maxItems": 7,
            "description": "Only in states of these types.",
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "triage",
                "backlog",
                "unstarted",
                "started",
                "completed",
                "canceled",
                "duplicate"
              ]
            }
          },
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "Only of this project, from list_projects. An id (UUID).",
            "type": "string"
          },
          "label": {
            "minLength": 1,
            "maxLength": 100,
            "description": "Only with the label of this name.",
            "type": "string"
          },
          "priority": {
            "minimum": 0,
            "maximum": 4,
            "description": "0 none, 1 urgent, 2 high, 3 medium, 4 low.",
            "type": "integer"
          },
          "created_after": {
            "format": "date-time",
            "description": "Only created after. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "updated_after": {
            "format": "date-time",
            "description": "Only changed after. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "order_by": {
            "description": "The newest first; createdAt when left out.",
            "type": "string",
            "enum": [
              "createdAt",
              "updatedAt"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "How many results a page has at most (default 25).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List issues",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__get_issue",
      "title": "Get an issue",
      "description": "Read one issue: its description, state, people, project, cycle, labels, parent, sub-issues and links. Its comments come from list_comments. The ids in it are what update_issue wants.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. As in ENG-123, or its id.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get an issue",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_comments",
      "title": "List comments",
      "description": "List the comments of an issue: id, text, author, time, and the comment that each replies to.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. As in ENG-123, or its id.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "How many results a page has at most (default 25).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List comments",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__create_issue",
      "title": "Create an issue",
      "description": "Create an issue in a team. Ids come from list_teams, list_states, list_labels, list_users and list_projects. Answers with its identifier (ENG-123) and URL. Search first whether there is one already.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "team_id",
          "title"
        ],
        "properties": {
          "team_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The team it belongs to, from list_teams. An id (UUID).",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 512,
            "description": "One line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 100000,
            "description": "What it is about. Markdown.",
            "type": "string"
          },
          "state_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The state it begins in, from list_states; the team’s own choice when left out. An id (UUID).",
            "type": "string"
          },
          "assignee_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "Who does it, from list_users. An id (UUID).",
            "type": "string"
          },
          "priority": {
            "minimum": 0,
            "maximum": 4,
            "description": "0 none, 1 urgent, 2 high, 3 medium, 4 low.",
            "type": "integer"
          },
          "label_ids": {
            "maxItems": 50,
            "type": "array",
            "items": {
              "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
              "description": "A label, from list_labels. An id (UUID).",
              "type": "string"
            }
          },
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The project it belongs to, from list_projects. An id (UUID).",
            "type": "string"
          },
          "cycle_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The cycle it belongs to, from list_cycles. An id (UUID).",
            "type": "string"
          },
          "parent": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue it is a part of. As in ENG-123, or its id.",
            "type": "string"
          },
          "estimate": {
            "minimum": 0,
            "maximum": 64,
            "description": "In the points of the team’s scale.",
            "type": "integer"
          },
          "due_date": {
            "format": "date",
            "description": "When it is due. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create an issue",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__update_issue",
      "title": "Update an issue",
      "description": "Change an issue; what is left out stays. To move it to another state give state_id (list_states of its team). Labels are added and removed one by one, the others stay. Give at least one argument beside issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. As in ENG-123, or its id.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 512,
            "description": "One line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 100000,
            "description": "What it is about, whole. Markdown.",
            "type": "string"
          },
          "state_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The state it is to be in, from list_states. An id (UUID).",
            "type": "string"
          },
          "assignee_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "Who does it from now on, from list_users. An id (UUID).",
            "type": "string"
          },
          "priority": {
            "minimum": 0,
            "maximum": 4,
            "description": "0 none, 1 urgent, 2 high, 3 medium, 4 low.",
            "type": "integer"
          },
          "add_label_ids": {
            "maxItems": 50,
            "type": "array",
            "items": {
              "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
              "description": "A label, from list_labels. An id (UUID).",
              "type": "string"
            }
          },
          "remove_label_ids": {
            "maxItems": 50,
            "type": "array",
            "items": {
              "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
              "description": "A label, from list_labels. An id (UUID).",
              "type": "string"
            }
          },
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The project it is to belong to, from list_projects. An id (UUID).",
            "type": "string"
          },
          "cycle_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The cycle it is to belong to, from list_cycles. An id (UUID).",
            "type": "string"
          },
          "parent": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue it is a part of. As in ENG-123, or its id.",
            "type": "string"
          },
          "estimate": {
            "minimum": 0,
            "maximum": 64,
            "description": "In the points of the team’s scale.",
            "type": "integer"
          },
          "due_date": {
            "format": "date",
            "description": "When it is due. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update an issue",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__archive_issue",
      "title": "Archive an issue",
      "description": "Archive an issue: it goes from all lists and can be brought back in Linear.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. As in ENG-123, or its id.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Archive an issue",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__add_comment",
      "title": "Comment",
      "description": "Comment on an issue, or reply to a comment of it. Everyone who follows the issue is told.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "body"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. As in ENG-123, or its id.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 100000,
            "description": "The comment. Markdown.",
            "type": "string"
          },
          "parent_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The comment this replies to, from list_comments. An id (UUID).",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Comment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__relate_issues",
      "title": "Relate two issues",
      "description": "Say that an issue blocks another, duplicates it, or has to do with it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "related_issue",
          "type"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue that blocks, or is the duplicate. As in ENG-123, or its id.",
            "type": "string"
          },
          "related_issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The other one. As in ENG-123, or its id.",
            "type": "string"
          },
          "type": {
            "type": "string",
            "enum": [
              "blocks",
              "duplicate",
              "related"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Relate two issues",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__link_url",
      "title": "Link a page to an issue",
      "description": "Attach a URL (a document, a conversation, a pull request) to an issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "url"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. As in ENG-123, or its id.",
            "type": "string"
          },
          "url": {
            "pattern": "^https?://[^\\\\s]+$",
            "maxLength": 2048,
            "description": "The address of the page.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 512,
            "description": "What the link is called.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Link a page to an issue",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_projects",
      "title": "List projects",
      "description": "List projects with status, health, progress (0 to 1), lead and target date; narrow by name or team.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 200,
            "description": "Only with this in their name.",
            "type": "string"
          },
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only of the team with this key: ENG of ENG-123. It comes from list_teams.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "How many results a page has at most (default 25).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List projects",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__get_project",
      "title": "Get a project",
      "description": "Read one project: its description and text, status, health, dates, lead, teams, milestones and newest update.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project_id"
        ],
        "properties": {
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The project, from list_projects. An id (UUID).",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a project",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__post_project_update",
      "title": "Post a project update",
      "description": "Tell everyone who follows a project how it stands.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project_id",
          "body"
        ],
        "properties": {
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The project, from list_projects. An id (UUID).",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 100000,
            "description": "How it stands. Markdown.",
            "type": "string"
          },
          "health": {
            "type": "string",
            "enum": [
              "onTrack",
              "atRisk",
              "offTrack"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Post a project update",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_teams",
      "title": "List teams",
      "description": "List the teams you can see: id, key (what their issues begin with) and name.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List teams",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_states",
      "title": "List workflow states",
      "description": "List the states issues go through, with ids for create_issue and update_issue. Each belongs to one team.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only of the team with this key: ENG of ENG-123. It comes from list_teams.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List workflow states",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_labels",
      "title": "List labels",
      "description": "List issue labels with their ids. Those without a team belong to the workspace.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 200,
            "description": "Only with this in their name.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List labels",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_users",
      "title": "List people",
      "description": "List the people of the workspace with ids, names and e-mail addresses; isMe is you.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 200,
            "description": "Only with this in their name.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List people",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "linear__list_cycles",
      "title": "List cycles",
      "description": "List the cycles (sprints) of teams with ids, dates and progress; active true gives those that run now.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only of the team with this key: ENG of ENG-123. It comes from list_teams.",
            "type": "string"
          },
          "active": {
            "description": "true: only those that run now; false: only the others.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List cycles",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector, and every tool of one, shows on the wire what was reviewed > resend 1`] = `
{
  "entry": {
    "id": "resend",
    "category": "communication",
    "name": "Resend",
    "description": "Send and schedule email, see what became of it, and keep domains, contacts, segments and broadcasts.",
    "url": "http://localhost/connectors/resend",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "api_key",
      "scopes": [],
      "api_key_connect": true,
      "api_key_probe": false
    }
  },
  "tools": [
    {
      "name": "resend__send_email",
      "title": "Send email",
      "description": "Send an email now, or later with scheduled_at. Give html, text or both. Answers with its id, for get_email, reschedule_email and cancel_email.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "from",
          "to",
          "subject"
        ],
        "properties": {
          "from": {
            "minLength": 3,
            "maxLength": 320,
            "description": "An address of a verified domain (list_domains): Ada <ada@example.com>",
            "type": "string"
          },
          "to": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Addresses, 50 at most.",
            "type": "array",
            "items": {
              "minLength": 3,
              "maxLength": 320,
              "type": "string"
            }
          },
          "subject": {
            "minLength": 1,
            "maxLength": 998,
            "type": "string"
          },
          "html": {
            "minLength": 1,
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "description": "Made from html when left out.",
            "type": "string"
          },
          "cc": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Addresses.",
            "type": "array",
            "items": {
              "minLength": 3,
              "maxLength": 320,
              "type": "string"
            }
          },
          "bcc": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Addresses.",
            "type": "array",
            "items": {
              "minLength": 3,
              "maxLength": 320,
              "type": "string"
            }
          },
          "reply_to": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Addresses.",
            "type": "array",
            "items": {
              "minLength": 3,
              "maxLength": 320,
              "type": "string"
            }
          },
          "scheduled_at": {
            "minLength": 1,
            "maxLength": 100,
            "description": "ISO 8601, 2026-03-01T09:00:00Z, or plain English: in 1 hour. At most 30 days ahead.",
            "type": "string"
          },
          "attachments": {
            "minItems": 1,
            "maxItems": 20,
            "type": "array",
            "items": {
              "additionalProperties": false,
              "type": "object",
              "required": [
                "filename",
                "path"
              ],
              "properties": {
                "filename": {
                  "minLength": 1,
                  "maxLength": 255,
                  "type": "string"
                },
                "path": {
                  "pattern": "^https://[^\\\\s]+$",
                  "description": "The URL that Resend fetches it from.",
                  "type": "string"
                }
              }
            }
          },
          "tags": {
            "minItems": 1,
            "maxItems": 20,
            "description": "What the email is told apart by in events.",
            "type": "array",
            "items": {
              "additionalProperties": false,
              "type": "object",
              "required": [
                "name",
                "value"
              ],
              "properties": {
                "name": {
                  "pattern": "^[A-Za-z0-9_-]{1,256}$",
                  "type": "string"
                },
                "value": {
                  "pattern": "^[A-Za-z0-9_-]{1,256}$",
                  "type": "string"
                }
              }
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Send email",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__list_emails",
      "title": "List emails",
      "description": "List the emails that were sent or are scheduled, the newest first: id, addresses, subject, dates, and the last thing that happened to each (delivered, bounced, opened). Read one with get_email.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List emails",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__get_email",
      "title": "Get email",
      "description": "Read one sent or scheduled email: its content, and the last thing that happened to it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email"
        ],
        "properties": {
          "email": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the email; it comes from send_email or list_emails.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get email",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__reschedule_email",
      "title": "Reschedule email",
      "description": "Change when a scheduled email is sent.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email",
          "scheduled_at"
        ],
        "properties": {
          "email": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the email; it comes from send_email or list_emails.",
            "type": "string"
          },
          "scheduled_at": {
            "minLength": 1,
            "maxLength": 100,
            "description": "ISO 8601, 2026-03-01T09:00:00Z, or plain English: in 1 hour. At most 30 days ahead.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Reschedule email",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__cancel_email",
      "title": "Cancel email",
      "description": "Cancel a scheduled email for good; it cannot be scheduled again.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email"
        ],
        "properties": {
          "email": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the email; it comes from send_email or list_emails.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Cancel email",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__list_domains",
      "title": "List domains",
      "description": "List the domains that email can be sent from, with their ids and whether they are verified.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List domains",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__get_domain",
      "title": "Get domain",
      "description": "Read one domain: its status, and the DNS records that it needs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "domain"
        ],
        "properties": {
          "domain": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the domain; it comes from list_domains.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get domain",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__create_domain",
      "title": "Create domain",
      "description": "Add a domain. Answers with the DNS records to set; verify_domain has them checked then.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "name"
        ],
        "properties": {
          "name": {
            "minLength": 3,
            "maxLength": 253,
            "description": "updates.example.com",
            "type": "string"
          },
          "region": {
            "type": "string",
            "enum": [
              "us-east-1",
              "eu-west-1",
              "sa-east-1",
              "ap-northeast-1"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create domain",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__verify_domain",
      "title": "Verify domain",
      "description": "Start the check of a domain's DNS records; get_domain says what came of it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "domain"
        ],
        "properties": {
          "domain": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the domain; it comes from list_domains.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Verify domain",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__list_contacts",
      "title": "List contacts",
      "description": "List contacts, of all segments or of one: id, address, names, and whether broadcasts leave them out.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "segment": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "Only of this segment: an id; it comes from list_segments.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List contacts",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__get_contact",
      "title": "Get contact",
      "description": "Read one contact, by id or by address.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "contact"
        ],
        "properties": {
          "contact": {
            "minLength": 3,
            "maxLength": 320,
            "description": "The id of the contact (list_contacts), or its address.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get contact",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__create_contact",
      "title": "Create contact",
      "description": "Add a contact. Answers with its id; add_contact_to_segment puts it into a segment.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email"
        ],
        "properties": {
          "email": {
            "minLength": 3,
            "maxLength": 320,
            "description": "The address alone: ada@example.com",
            "type": "string"
          },
          "first_name": {
            "maxLength": 255,
            "type": "string"
          },
          "last_name": {
            "maxLength": 255,
            "type": "string"
          },
          "unsubscribed": {
            "description": "Whether broadcasts leave the contact out.",
            "type": "boolean"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create contact",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__update_contact",
      "title": "Update contact",
      "description": "Change a contact's names, or whether broadcasts reach it; what is left out stays.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "contact"
        ],
        "properties": {
          "contact": {
            "minLength": 3,
            "maxLength": 320,
            "description": "The id of the contact (list_contacts), or its address.",
            "type": "string"
          },
          "first_name": {
            "maxLength": 255,
            "type": "string"
          },
          "last_name": {
            "maxLength": 255,
            "type": "string"
          },
          "unsubscribed": {
            "description": "Whether broadcasts leave the contact out.",
            "type": "boolean"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update contact",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__add_contact_to_segment",
      "title": "Add contact to segment",
      "description": "Put a contact into a segment.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "contact",
          "segment"
        ],
        "properties": {
          "contact": {
            "minLength": 3,
            "maxLength": 320,
            "description": "The id of the contact (list_contacts), or its address.",
            "type": "string"
          },
          "segment": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the segment; it comes from list_segments.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Add contact to segment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__list_segments",
      "title": "List segments",
      "description": "List the segments (once: audiences) that contacts are grouped by: id and name.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List segments",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__create_segment",
      "title": "Create segment",
      "description": "Add an empty segment. Answers with its id, for add_contact_to_segment and create_broadcast.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "name"
        ],
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 255,
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create segment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__list_broadcasts",
      "title": "List broadcasts",
      "description": "List broadcasts, drafts and scheduled and sent ones: id, name, status, segment and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List broadcasts",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__create_broadcast",
      "title": "Create broadcast",
      "description": "Draft an email to a whole segment. Give html, text or both. Answers with its id; send_broadcast sends it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "segment",
          "from",
          "subject"
        ],
        "properties": {
          "segment": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the segment it goes to; it comes from list_segments.",
            "type": "string"
          },
          "from": {
            "minLength": 3,
            "maxLength": 320,
            "description": "An address of a verified domain (list_domains): Ada <ada@example.com>",
            "type": "string"
          },
          "subject": {
            "minLength": 1,
            "maxLength": 998,
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Seen by the team alone.",
            "type": "string"
          },
          "preview_text": {
            "minLength": 1,
            "maxLength": 255,
            "type": "string"
          },
          "html": {
            "minLength": 1,
            "description": "With {{{RESEND_UNSUBSCRIBE_URL}}} for the link to unsubscribe.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create broadcast",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "resend__send_broadcast",
      "title": "Send broadcast",
      "description": "Send a drafted broadcast to its whole segment, now or later. It cannot be taken back once sent.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "broadcast"
        ],
        "properties": {
          "broadcast": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The id of the broadcast; it comes from create_broadcast or list_broadcasts.",
            "type": "string"
          },
          "scheduled_at": {
            "minLength": 1,
            "maxLength": 100,
            "description": "ISO 8601, 2026-03-01T09:00:00Z, or plain English: in 1 hour. At most 30 days ahead.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Send broadcast",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": false,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector, and every tool of one, shows on the wire what was reviewed > slack 1`] = `
{
  "entry": {
    "id": "slack",
    "category": "communication",
    "name": "Slack",
    "description": "Search and read messages, threads, channels, people and files; post, schedule, change and react to messages.",
    "url": "http://localhost/connectors/slack",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "channels:read",
        "groups:read",
        "im:read",
        "mpim:read",
        "channels:history",
        "groups:history",
        "im:history",
        "mpim:history",
        "channels:join",
        "channels:manage",
        "groups:write",
        "im:write",
        "mpim:write",
        "chat:write",
        "reactions:write",
        "users:read",
        "users:read.email",
        "files:read"
      ],
      "scope_descriptions": {
        "channels:read": "See public channels and who is in them.",
        "groups:read": "See the private channels the app was added to.",
        "im:read": "See direct messages with the app.",
        "mpim:read": "See group direct messages the app was added to.",
        "channels:history": "Read messages of public channels the app was added to.",
        "groups:history": "Read messages of private channels the app was added to.",
        "im:history": "Read direct messages with the app.",
        "mpim:history": "Read group direct messages the app was added to.",
        "channels:join": "Join public channels.",
        "channels:manage": "Make public channels, invite people to them and set their topics.",
        "groups:write": "Make private channels, invite people to them and set their topics.",
        "im:write": "Begin direct messages.",
        "mpim:write": "Begin group direct messages.",
        "chat:write": "Post messages as the app, and change and delete its own.",
        "reactions:write": "Add and remove emoji reactions.",
        "users:read": "See the people of the workspace.",
        "users:read.email": "See the e-mail addresses of people, and find people by them.",
        "files:read": "See the files of conversations the app was added to."
      },
      "user_scopes": [
        "search:read"
      ],
      "user_scope_descriptions": {
        "search:read": "Search the messages you can see yourself, with your own identity."
      },
      "api_key_connect": true,
      "api_key_probe": true,
      "oauth_configured": true
    },
    "credential_source": {
      "active": "platform",
      "org_clients_enabled": true
    }
  },
  "tools": [
    {
      "name": "slack__search_messages",
      "title": "Search messages",
      "description": "Search all messages that the connecting person can see, with Slack search syntax. Example: \\"release notes\\" in:#general from:@ada after:2026-01-01 has:link. Answers with text, author, channel, ts and permalink.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 1000,
            "description": "Words, \\"phrases\\" and modifiers: in:, from:, to:, before:, after:, on:, has:, is:thread, -word.",
            "type": "string"
          },
          "sort": {
            "description": "Best match (score) when left out.",
            "type": "string",
            "enum": [
              "score",
              "timestamp"
            ]
          },
          "sort_dir": {
            "type": "string",
            "enum": [
              "asc",
              "desc"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search messages",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__read_channel",
      "title": "Read a channel",
      "description": "Read the messages of a channel or direct message, the newest first, without the replies of threads (reply_count tells there are some: read_thread). user is an id: get_user names it. The app must be in the channel.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "oldest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages after. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "latest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages before. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "inclusive": {
            "description": "Whether messages at oldest and latest themselves count.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 200,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a channel",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__read_thread",
      "title": "Read a thread",
      "description": "Read a thread, the oldest first: its first message and the replies.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "ts"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the first message of the thread (thread_ts of any of its replies). As in 1712345678.123456.",
            "type": "string"
          },
          "oldest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages after. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "latest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages before. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 200,
            "default": 50,
            "description": "How many results a page has at most (default 50).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a thread",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__get_permalink",
      "title": "Link to a message",
      "description": "Get the URL of a message, for people to open.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "ts"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message; it comes from read_channel, read_thread, search_messages or post_message. As in 1712345678.123456.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Link to a message",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__list_files",
      "title": "List files",
      "description": "List files that were shared, the newest first: id, name, type, size, who shared it, where, and a link for people.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "user": {
            "pattern": "^[UW][A-Z0-9]{2,30}$",
            "description": "Only files of this person, by id.",
            "type": "string"
          },
          "ts_from": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only files made after. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "ts_to": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only files made before. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "types": {
            "description": "all when left out.",
            "type": "string",
            "enum": [
              "all",
              "spaces",
              "snippets",
              "images",
              "gdocs",
              "zips",
              "pdfs"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List files",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__list_channels",
      "title": "List channels",
      "description": "List channels with their ids, topics and number of members. is_member tells whether the app is in a channel and can read it. Go on with cursor: a page can be shorter than limit while more follow.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "types": {
            "minItems": 1,
            "maxItems": 4,
            "uniqueItems": true,
            "description": "Which kinds; public channels when left out.",
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "public_channel",
                "private_channel",
                "mpim",
                "im"
              ]
            }
          },
          "exclude_archived": {
            "description": "Leave archived channels out.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 999,
            "default": 100,
            "description": "How many results a page has at most (default 100).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List channels",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__get_channel",
      "title": "Get a channel",
      "description": "Read one channel: its name, topic, purpose, number of members, and whether the app is in it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a channel",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__list_channel_members",
      "title": "List the members of a channel",
      "description": "List the ids of the people in a channel; get_user names them.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 999,
            "default": 100,
            "description": "How many results a page has at most (default 100).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List the members of a channel",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__create_channel",
      "title": "Create a channel",
      "description": "Make a channel; the app is in it. Answers with its id, for invite_to_channel and post_message.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "name"
        ],
        "properties": {
          "name": {
            "pattern": "^[a-z0-9_-]+$",
            "minLength": 1,
            "maxLength": 80,
            "description": "Lower-case letters, digits, hyphens and underscores: project-apollo.",
            "type": "string"
          },
          "is_private": {
            "description": "Whether only people who are invited see it.",
            "type": "boolean"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a channel",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__invite_to_channel",
      "title": "Invite to a channel",
      "description": "Bring people into a channel that the app is in.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "users"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "users": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The ids of the people.",
            "type": "array",
            "items": {
              "pattern": "^[UW][A-Z0-9]{2,30}$",
              "description": "The id of a person: U0123456789. It comes from list_users or find_user_by_email.",
              "type": "string"
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Invite to a channel",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__join_channel",
      "title": "Join a channel",
      "description": "Bring the app into a public channel, so that it can read it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Join a channel",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__set_topic",
      "title": "Set the topic of a channel",
      "description": "Replace the topic that stands above a channel.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "topic"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "topic": {
            "maxLength": 250,
            "description": "The new topic; empty to remove it.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Set the topic of a channel",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__open_direct_message",
      "title": "Open a direct message",
      "description": "Open the direct message with a person, or a group one with up to eight; where there is one, that one. Answers with the id of the conversation, for post_message.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "users"
        ],
        "properties": {
          "users": {
            "minItems": 1,
            "maxItems": 8,
            "description": "The ids of the people, the app not counted.",
            "type": "array",
            "items": {
              "pattern": "^[UW][A-Z0-9]{2,30}$",
              "description": "The id of a person: U0123456789. It comes from list_users or find_user_by_email.",
              "type": "string"
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Open a direct message",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__post_message",
      "title": "Post a message",
      "description": "Post a message to a channel or direct message as the app, or reply in a thread. Everyone there sees it at once. Answers with channel and ts, which name the message from then on. To write to a person use open_direct_message first.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "text"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Slack’s mrkdwn: *bold*, _italic_, \`code\`, <https://example.com|a link>, <@U0123456789> to mention. Keep it below 4000 characters.",
            "type": "string"
          },
          "thread_ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "Reply in the thread of the message with this ts. As in 1712345678.123456.",
            "type": "string"
          },
          "reply_broadcast": {
            "description": "Show a reply in the channel too.",
            "type": "boolean"
          },
          "unfurl_links": {
            "description": "Whether links are shown with a preview.",
            "type": "boolean"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Post a message",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__update_message",
      "title": "Change a message",
      "description": "Replace the text of a message that the app has posted.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "ts",
          "text"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message; it comes from read_channel, read_thread, search_messages or post_message. As in 1712345678.123456.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Slack’s mrkdwn: *bold*, _italic_, \`code\`, <https://example.com|a link>, <@U0123456789> to mention. Keep it below 4000 characters.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Change a message",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__delete_message",
      "title": "Delete a message",
      "description": "Delete a message that the app has posted; it cannot be brought back.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "ts"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message; it comes from read_channel, read_thread, search_messages or post_message. As in 1712345678.123456.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Delete a message",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__schedule_message",
      "title": "Schedule a message",
      "description": "Post a message later, at most 120 days from now. Answers with scheduled_message_id.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "text",
          "post_at"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Slack’s mrkdwn: *bold*, _italic_, \`code\`, <https://example.com|a link>, <@U0123456789> to mention. Keep it below 4000 characters.",
            "type": "string"
          },
          "post_at": {
            "minimum": 1700000000,
            "maximum": 4102444800,
            "description": "When, in seconds since 1970.",
            "type": "integer"
          },
          "thread_ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "Reply in the thread of the message with this ts. As in 1712345678.123456.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Schedule a message",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__add_reaction",
      "title": "React to a message",
      "description": "Add an emoji reaction of the app to a message.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "ts",
          "emoji"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message; it comes from read_channel, read_thread, search_messages or post_message. As in 1712345678.123456.",
            "type": "string"
          },
          "emoji": {
            "pattern": "^[a-z0-9_+'-]{1,100}$",
            "description": "The name of an emoji without colons: thumbsup.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "React to a message",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__remove_reaction",
      "title": "Take a reaction back",
      "description": "Remove an emoji reaction of the app from a message.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "ts",
          "emoji"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The id of a channel or direct message, not its name: C0123456789. It comes from list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message; it comes from read_channel, read_thread, search_messages or post_message. As in 1712345678.123456.",
            "type": "string"
          },
          "emoji": {
            "pattern": "^[a-z0-9_+'-]{1,100}$",
            "description": "The name of an emoji without colons: thumbsup.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Take a reaction back",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__list_users",
      "title": "List people",
      "description": "List the people of the workspace with ids, names, e-mail addresses and time zones; deleted ones and bots too.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 200,
            "default": 100,
            "description": "How many results a page has at most (default 100).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List people",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__get_user",
      "title": "Get a person",
      "description": "Read who an id is: name, display name, e-mail address, title, time zone.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "user"
        ],
        "properties": {
          "user": {
            "pattern": "^[UW][A-Z0-9]{2,30}$",
            "description": "The id of a person: U0123456789. It comes from list_users or find_user_by_email.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a person",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__find_user_by_email",
      "title": "Find a person by e-mail",
      "description": "Find the person with an e-mail address. Answers with the id, for open_direct_message and mentions.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email"
        ],
        "properties": {
          "email": {
            "minLength": 3,
            "maxLength": 254,
            "pattern": "^[^\\\\s@]+@[^\\\\s@]+$",
            "description": "The whole address: ada@example.com.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Find a person by e-mail",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector, and every tool of one, shows on the wire what was reviewed > stripe 1`] = `
{
  "entry": {
    "id": "stripe",
    "category": "business",
    "name": "Stripe",
    "description": "Search and read customers, payments, invoices and subscriptions; bill, refund and sell by link.",
    "url": "http://localhost/connectors/stripe",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "api_key",
      "scopes": [],
      "api_key_connect": true,
      "api_key_probe": true
    }
  },
  "tools": [
    {
      "name": "stripe__list_customers",
      "title": "List customers",
      "description": "List customers, the newest first; those of one email address where it is given.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "email": {
            "minLength": 3,
            "maxLength": 512,
            "type": "string",
            "description": "Exactly, with its case."
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List customers",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__search_customers",
      "title": "Search customers",
      "description": "Search customers by name, email, phone, metadata and date.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 5000,
            "description": "Stripe's search language, for example: name~\\"ada\\" AND created>1700000000. What was just made is found after a minute.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search customers",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__get_customer",
      "title": "Get customer",
      "description": "Read one customer: addresses, metadata and the usual payment method too.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "customer"
        ],
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…; it comes from list_customers or search_customers.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get customer",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__create_customer",
      "title": "Create customer",
      "description": "Add a customer. Stripe takes the same address twice: look with list_customers first.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email"
        ],
        "properties": {
          "email": {
            "minLength": 3,
            "maxLength": 512,
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 256,
            "type": "string"
          },
          "phone": {
            "minLength": 1,
            "maxLength": 20,
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 5000,
            "type": "string"
          },
          "metadata": {
            "maxProperties": 50,
            "description": "Notes by name.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create customer",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__update_customer",
      "title": "Update customer",
      "description": "Change what is known of a customer; what is left out stays, and metadata is merged.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "customer"
        ],
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…; it comes from list_customers or search_customers.",
            "type": "string"
          },
          "email": {
            "minLength": 3,
            "maxLength": 512,
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 256,
            "type": "string"
          },
          "phone": {
            "minLength": 1,
            "maxLength": 20,
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 5000,
            "type": "string"
          },
          "metadata": {
            "maxProperties": 50,
            "description": "Notes by name.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update customer",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__list_products",
      "title": "List products",
      "description": "List what is sold, the newest first: id, name, and the id of the usual price.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "active": {
            "description": "Only what is sold now (true), or no longer (false).",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List products",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__list_prices",
      "title": "List prices",
      "description": "List prices, the newest first; those of one product where it is given.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "product": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "prod_…; it comes from list_products.",
            "type": "string"
          },
          "active": {
            "description": "Only what is sold now (true), or no longer (false).",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List prices",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__get_balance",
      "title": "Get balance",
      "description": "Read what of the account is available and what is on its way, by currency.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get balance",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__list_balance_transactions",
      "title": "List balance transactions",
      "description": "List what moved the balance, the newest first: charges, refunds, fees, payouts.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "type": {
            "minLength": 1,
            "maxLength": 100,
            "description": "charge, refund, payout, …",
            "type": "string"
          },
          "payout": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "po_…: what one payout is made of. It is the source of a transaction of type payout.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List balance transactions",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__list_payment_intents",
      "title": "List payment intents",
      "description": "List payments and attempts at them, the newest first; those of one customer where it is given.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…; it comes from list_customers or search_customers.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List payment intents",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__search_payment_intents",
      "title": "Search payment intents",
      "description": "Search payments by status, amount, currency, customer, metadata and date.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 5000,
            "description": "Stripe's search language, for example: status:\\"succeeded\\" AND amount>10000. What was just made is found after a minute.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search payment intents",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__get_payment_intent",
      "title": "Get payment intent",
      "description": "Read one payment: what became of it, and why it failed.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "payment_intent"
        ],
        "properties": {
          "payment_intent": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "pi_…; it comes from list_payment_intents or search_payment_intents.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get payment intent",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__list_refunds",
      "title": "List refunds",
      "description": "List refunds, the newest first; those of one payment where it is given.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "payment_intent": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "pi_…; it comes from list_payment_intents or search_payment_intents.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List refunds",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__create_refund",
      "title": "Create refund",
      "description": "Pay a payment back, whole or in part. It cannot be taken back.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "payment_intent"
        ],
        "properties": {
          "payment_intent": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "pi_…; it comes from list_payment_intents or search_payment_intents.",
            "type": "string"
          },
          "amount": {
            "minimum": 1,
            "maximum": 99999999,
            "description": "What is paid back; without it all that is left. In the smallest unit of the currency: 1050 is 10.50 euros, and 1050 yen.",
            "type": "integer"
          },
          "reason": {
            "type": "string",
            "enum": [
              "duplicate",
              "fraudulent",
              "requested_by_customer"
            ]
          },
          "metadata": {
            "maxProperties": 50,
            "description": "Notes by name.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create refund",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__create_payment_link",
      "title": "Create payment link",
      "description": "Make a page that anyone with its URL can pay on. Answers with the URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "line_items"
        ],
        "properties": {
          "line_items": {
            "minItems": 1,
            "maxItems": 20,
            "description": "What is bought.",
            "type": "array",
            "items": {
              "additionalProperties": false,
              "type": "object",
              "required": [
                "price",
                "quantity"
              ],
              "properties": {
                "price": {
                  "pattern": "^[A-Za-z0-9_-]{1,255}$",
                  "description": "price_…; it comes from list_prices.",
                  "type": "string"
                },
                "quantity": {
                  "minimum": 1,
                  "maximum": 999999,
                  "type": "integer"
                }
              }
            }
          },
          "allow_promotion_codes": {
            "type": "boolean"
          },
          "metadata": {
            "maxProperties": 50,
            "description": "Notes by name.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create payment link",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__list_invoices",
      "title": "List invoices",
      "description": "List invoices, the newest first; narrow by customer, subscription and status.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…; it comes from list_customers or search_customers.",
            "type": "string"
          },
          "subscription": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "sub_…; it comes from list_subscriptions.",
            "type": "string"
          },
          "status": {
            "type": "string",
            "enum": [
              "draft",
              "open",
              "paid",
              "uncollectible",
              "void"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List invoices",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__search_invoices",
      "title": "Search invoices",
      "description": "Search invoices by number, status, total, customer, metadata and date.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 5000,
            "description": "Stripe's search language, for example: total>10000 AND status:\\"open\\". What was just made is found after a minute.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search invoices",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__get_invoice",
      "title": "Get invoice",
      "description": "Read one invoice with its first lines.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "invoice"
        ],
        "properties": {
          "invoice": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "in_…; it comes from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get invoice",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__create_invoice",
      "title": "Create invoice",
      "description": "Draft an empty invoice. Answers with its id: add_invoice_item puts lines on it, finalize_invoice closes it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "customer"
        ],
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…; it comes from list_customers or search_customers.",
            "type": "string"
          },
          "collection_method": {
            "description": "send_invoice needs days_until_due; charge_automatically when left out.",
            "type": "string",
            "enum": [
              "charge_automatically",
              "send_invoice"
            ]
          },
          "days_until_due": {
            "minimum": 0,
            "maximum": 365,
            "type": "integer"
          },
          "description": {
            "minLength": 1,
            "maxLength": 1500,
            "type": "string"
          },
          "metadata": {
            "maxProperties": 50,
            "description": "Notes by name.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create invoice",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__add_invoice_item",
      "title": "Add invoice item",
      "description": "Put a line on a draft invoice.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "customer",
          "invoice",
          "amount",
          "currency",
          "description"
        ],
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_… of the invoice.",
            "type": "string"
          },
          "invoice": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "in_…; it comes from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "amount": {
            "minimum": 1,
            "maximum": 99999999,
            "description": "What the line comes to. In the smallest unit of the currency: 1050 is 10.50 euros, and 1050 yen.",
            "type": "integer"
          },
          "currency": {
            "pattern": "^[a-z]{3}$",
            "description": "Three small letters: eur.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 5000,
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Add invoice item",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__finalize_invoice",
      "title": "Finalize invoice",
      "description": "Close a draft: it gets its number and is open from then on; no line can be added any more.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "invoice"
        ],
        "properties": {
          "invoice": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "in_…; it comes from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Finalize invoice",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__send_invoice",
      "title": "Send invoice",
      "description": "Send an invoice to its customer by email; a draft is finalized by that.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "invoice"
        ],
        "properties": {
          "invoice": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "in_…; it comes from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Send invoice",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__list_subscriptions",
      "title": "List subscriptions",
      "description": "List subscriptions, the newest first, canceled ones only with status canceled or all; narrow by customer and price.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…; it comes from list_customers or search_customers.",
            "type": "string"
          },
          "price": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "price_…; it comes from list_prices.",
            "type": "string"
          },
          "status": {
            "type": "string",
            "enum": [
              "active",
              "all",
              "canceled",
              "ended",
              "incomplete",
              "incomplete_expired",
              "past_due",
              "paused",
              "trialing",
              "unpaid"
            ]
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List subscriptions",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__update_subscription",
      "title": "Update subscription",
      "description": "Let a subscription end with its period (cancel_at_period_end true) or go on after all (false); metadata is merged.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "subscription"
        ],
        "properties": {
          "subscription": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "sub_…; it comes from list_subscriptions.",
            "type": "string"
          },
          "cancel_at_period_end": {
            "type": "boolean"
          },
          "description": {
            "minLength": 1,
            "maxLength": 500,
            "type": "string"
          },
          "metadata": {
            "maxProperties": 50,
            "description": "Notes by name.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update subscription",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "stripe__cancel_subscription",
      "title": "Cancel subscription",
      "description": "End a subscription at once, for good; update_subscription lets it end with its period.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "subscription"
        ],
        "properties": {
          "subscription": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "sub_…; it comes from list_subscriptions.",
            "type": "string"
          },
          "invoice_now": {
            "description": "Bills what was used and not yet billed.",
            "type": "boolean"
          },
          "prorate": {
            "description": "Credits the time that is left.",
            "type": "boolean"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Cancel subscription",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector, and every tool of one, shows on the wire what was reviewed > trello 1`] = `
{
  "entry": {
    "id": "trello",
    "category": "productivity",
    "name": "Trello",
    "description": "Search, read and write boards, lists, cards, comments, checklists and attachments.",
    "url": "http://localhost/connectors/trello",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth1a",
      "scopes": [],
      "access_summary": "Read and change all boards, lists and cards that you can see, until you take the access back.",
      "oauth_configured": true
    },
    "credential_source": {
      "active": "platform",
      "org_clients_enabled": true
    }
  },
  "tools": [
    {
      "name": "trello__list_boards",
      "title": "List boards",
      "description": "List the boards of the connected member: id, name, description and URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "filter": {
            "description": "Which boards; all of them when left out.",
            "type": "string",
            "enum": [
              "open",
              "closed",
              "starred",
              "all"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List boards",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__get_board",
      "title": "Get board",
      "description": "Read one board with its open lists, its labels and its members: the ids that other tools ask for.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board"
        ],
        "properties": {
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The board: its id (list_boards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get board",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__list_lists",
      "title": "List lists",
      "description": "List the lists (columns) of a board with their ids, from left to right.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board"
        ],
        "properties": {
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The board: its id (list_boards), or the short link in its URL.",
            "type": "string"
          },
          "filter": {
            "description": "Which lists; open when left out.",
            "type": "string",
            "enum": [
              "open",
              "closed",
              "all"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List lists",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__create_list",
      "title": "Create list",
      "description": "Add a list (column) to a board. Answers with its id, for create_card.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board",
          "name"
        ],
        "properties": {
          "board": {
            "pattern": "^[0-9a-f]{24}$",
            "description": "The id of the board; it comes from list_boards. All 24 digits, not the short link.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "position": {
            "description": "Left is top; top when left out.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create list",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__list_cards",
      "title": "List cards",
      "description": "List the open cards of a list, from top to bottom. For those of other boards and lists use search_cards.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "list"
        ],
        "properties": {
          "list": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The id of the list. It comes from list_lists or get_board.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List cards",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__list_board_members",
      "title": "List board members",
      "description": "List who is on a board: the ids that cards are assigned by.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board"
        ],
        "properties": {
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The board: its id (list_boards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List board members",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__search_cards",
      "title": "Search cards",
      "description": "Search the cards of all boards of the connected member with Trello's search operators.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 16384,
            "description": "For example: invoice @me is:open due:week board:\\"Website\\" label:urgent",
            "type": "string"
          },
          "boards": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Only on these boards: ids, from list_boards.",
            "type": "array",
            "items": {
              "pattern": "^[0-9a-f]{24}$",
              "description": "A board. All 24 digits, not the short link.",
              "type": "string"
            }
          },
          "limit": {
            "minimum": 1,
            "maximum": 1000,
            "default": 30,
            "description": "How many results a page has at most (default 30).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Search cards",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__get_card",
      "title": "Get card",
      "description": "Read one card with its list, members, checklists and attachments; the ids of items are for update_checklist_item. Its comments come from list_comments.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get card",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__create_card",
      "title": "Create card",
      "description": "Add a card to a list. Answers with its id and URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "list",
          "name"
        ],
        "properties": {
          "list": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The id of the list. It comes from list_lists or get_board.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "description": {
            "maxLength": 16384,
            "description": "Markdown; replaces what is there.",
            "type": "string"
          },
          "due": {
            "format": "date-time",
            "description": "When it is due. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "members": {
            "maxItems": 50,
            "description": "Ids of who it is assigned to, from list_board_members; replaces those there.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A member.",
              "type": "string"
            }
          },
          "labels": {
            "maxItems": 50,
            "description": "Ids of its labels, from get_board; replaces those there.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A label.",
              "type": "string"
            }
          },
          "position": {
            "description": "bottom when left out.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create card",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__update_card",
      "title": "Update card",
      "description": "Change what a card says, when it is due and who has it; archive it or bring it back. What is left out stays. To another list it goes by move_card.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "description": {
            "maxLength": 16384,
            "description": "Markdown; replaces what is there.",
            "type": "string"
          },
          "due": {
            "format": "date-time",
            "description": "When it is due. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "members": {
            "maxItems": 50,
            "description": "Ids of who it is assigned to, from list_board_members; replaces those there.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A member.",
              "type": "string"
            }
          },
          "labels": {
            "maxItems": 50,
            "description": "Ids of its labels, from get_board; replaces those there.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A label.",
              "type": "string"
            }
          },
          "due_complete": {
            "description": "Whether it is done.",
            "type": "boolean"
          },
          "archived": {
            "type": "boolean"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update card",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__move_card",
      "title": "Move card",
      "description": "Move a card to another list, also of another board.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "list"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "list": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The id of the list it goes to. It comes from list_lists or get_board.",
            "type": "string"
          },
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The id of the board of that list, where it is another one; it comes from list_boards.",
            "type": "string"
          },
          "position": {
            "description": "bottom when left out.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Move card",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__list_comments",
      "title": "List comments",
      "description": "List the comments on a card, the newest first: text, author and date.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 20,
            "description": "How many results a page has at most (default 20).",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the answer before, unchanged. Leave it out for the first page.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List comments",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__add_comment",
      "title": "Add comment",
      "description": "Comment on a card; everyone who follows it is told.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "text"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 16384,
            "description": "Markdown.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Add comment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__create_checklist",
      "title": "Create checklist",
      "description": "Add an empty checklist to a card. Answers with its id, for add_checklist_item.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "name"
        ],
        "properties": {
          "card": {
            "pattern": "^[0-9a-f]{24}$",
            "description": "The id of the card; it comes from get_card. All 24 digits, not the short link.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create checklist",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__add_checklist_item",
      "title": "Add checklist item",
      "description": "Add an item to a checklist.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "checklist",
          "name"
        ],
        "properties": {
          "checklist": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The id of the checklist; it comes from get_card or create_checklist.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "position": {
            "description": "bottom when left out.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Add checklist item",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__update_checklist_item",
      "title": "Update checklist item",
      "description": "Tick an item of a checklist off (state complete), or change what it says.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "item"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "item": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The id of the item; it comes from get_card.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "state": {
            "type": "string",
            "enum": [
              "complete",
              "incomplete"
            ]
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update checklist item",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__list_attachments",
      "title": "List attachments",
      "description": "List the files and links on a card: name, URL, type and size.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List attachments",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__attach_link",
      "title": "Attach link",
      "description": "Attach a link to a card.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "url"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its id (search_cards, list_cards), or the short link in its URL.",
            "type": "string"
          },
          "url": {
            "pattern": "^https?://[^\\\\s]+$",
            "maxLength": 2048,
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 256,
            "type": "string"
          },
          "account": {
            "description": "Which of your accounts acts; needed where there are several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Attach link",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    }
  ]
}
`
