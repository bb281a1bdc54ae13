/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > github 1`] = `
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
        "read:org": "Read your organizations and teams.",
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
      "description": "Search repositories by words and qualifiers. Example: org:octo-org language:typescript gateway in:name,description. Returns full name, description, language, stars and default branch.",
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
            "description": "Default: best match.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the repositories that you own, collaborate on or access through an organization, including private ones.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List commits, newest first: sha, message, author and date. Filter by branch, path, author or time.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The branch, tag or commit to start from.",
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
            "description": "A login or an email address.",
            "type": "string"
          },
          "since": {
            "format": "date-time",
            "description": "Only commits after this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "until": {
            "format": "date-time",
            "description": "Only commits before this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create a branch at a commit. list_branches returns the sha of each branch.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The commit to start from, all 40 digits.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Search the text of files on default branches. The query needs at least one word besides qualifiers. Example: createServer repo:octo-org/app language:typescript path:src. Returns path, repository and the matching lines. Read a file with get_file_contents. GitHub allows 10 searches per minute.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read the text of a file. To list a directory or get the sha of a file, use get_directory. To get all files, use download_archive.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The path from the repository root, without a leading slash: src/index.ts.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch, a tag or a commit. Default: the default branch.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "title": "List a directory",
      "description": "List the entries of a directory: name, path, type, size and sha, at most 1000. For a file, get its size and its sha, which create_or_update_file needs.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The path from the repository root, without a leading slash: src/index.ts. Default: the root.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch, a tag or a commit. Default: the default branch.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List a directory",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "github__create_or_update_file",
      "title": "Write a file",
      "description": "Write one file in one commit. Encode the whole file in base64, even if it is text. To replace a file, give its sha (from get_directory); without it, GitHub rejects a write to an existing file. Files under .github/workflows need the scope \\"workflow\\". Returns the commit.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The path from the repository root, without a leading slash: src/index.ts.",
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
            "description": "The whole file in base64, even if it is text: SGVsbG8K is “Hello” with a line break.",
            "type": "string"
          },
          "branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch to commit to. Default: the default branch.",
            "type": "string"
          },
          "sha": {
            "pattern": "^[0-9a-f]{40}$",
            "description": "The sha of the file to replace.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Download all files of a repository at one commit as a zip. Returns a temporary link.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "A branch, a tag or a commit. HEAD is the default branch.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Search issues and pull requests in all repositories you can see, with GitHub search syntax. Include is:issue or is:pull-request. Example: repo:octo-org/app is:issue is:open label:bug author:@me crash. Returns number, title, state, repository, author, labels and dates. Read one with get_issue or get_pull_request.",
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
            "description": "Default: best match.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the issues of one repository, newest first. The list includes pull requests: those have pull_request.html_url. Returns number, title, state, author, labels, assignees and dates, without the text.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "Default: open.",
            "type": "string",
            "enum": [
              "open",
              "closed",
              "all"
            ]
          },
          "labels": {
            "maxItems": 100,
            "description": "Only issues with all of these labels.",
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
            "description": "A login, none (unassigned) or * (assigned to anyone).",
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
            "description": "Only issues updated since this time. For example 2026-03-31T09:00:00Z.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one issue (or the issue side of a pull request): text, state, labels, assignees, milestone and dates. For its comments use list_issue_comments.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the issue: 42 for #42.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create an issue. Labels that do not exist are created. Returns the number and URL. Search for an existing issue first.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The title, on one line.",
            "type": "string"
          },
          "body": {
            "maxLength": 65536,
            "description": "The text. GitHub-flavored Markdown.",
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
            "description": "The logins of the assignees.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 100,
              "type": "string"
            }
          },
          "milestone": {
            "minimum": 1,
            "description": "The number of a milestone. get_issue returns it for an issue in that milestone.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Update the title, text, state, labels, assignees or milestone of an issue or pull request. Omitted fields stay unchanged. labels and assignees replace the current lists: give the full list. To close, set state and state_reason.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the issue: 42 for #42.",
            "type": "integer"
          },
          "title": {
            "minLength": 1,
            "maxLength": 256,
            "type": "string"
          },
          "body": {
            "maxLength": 65536,
            "description": "The full new text. GitHub-flavored Markdown.",
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
            "description": "The reason for the new state.",
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
            "description": "All labels of the issue.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 50,
              "type": "string"
            }
          },
          "assignees": {
            "maxItems": 10,
            "description": "The logins of all assignees.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 100,
              "type": "string"
            }
          },
          "milestone": {
            "minimum": 1,
            "description": "The number of a milestone. get_issue returns it for an issue in that milestone.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the comments of an issue or pull request, oldest first. Returns ID, author, text and dates.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the issue or pull request: 42 for #42.",
            "type": "integer"
          },
          "since": {
            "format": "date-time",
            "description": "Only comments updated since this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 30,
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Comment on an issue or pull request. Everyone who follows it is notified. Returns the ID and URL.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the issue or pull request: 42 for #42.",
            "type": "integer"
          },
          "body": {
            "maxLength": 65536,
            "description": "The comment. GitHub-flavored Markdown.",
            "type": "string",
            "minLength": 1
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the pull requests of one repository, newest first: number, title, state, branches, author and dates. To find those of a person or across repositories, use search_issues with is:pull-request.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "Default: open.",
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
            "description": "Only pull requests from this branch, with its owner: octo-org:new-feature.",
            "type": "string"
          },
          "base": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only pull requests into this branch: main.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one pull request: text, branches, reviewers, size, and whether it can be merged. If mergeable is null, GitHub is still computing it: call again. For its files use list_pull_request_files.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the pull request: 42 for #42.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the files that a pull request changes: name, status, lines added and deleted, and the patch (omitted if it is large or binary). At most 3000 files.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the pull request: 42 for #42.",
            "type": "integer"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 10,
            "description": "Maximum results per page. Default: 10.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read all changes of a pull request as one unified diff, up to 20,000 lines and 300 files.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the pull request: 42 for #42.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Open a pull request from a branch that exists on GitHub. Returns its number and URL. Fails if one is already open between the same branches.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The title, on one line.",
            "type": "string"
          },
          "head": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch with the changes. For a fork, include its owner: mona:new-feature.",
            "type": "string"
          },
          "base": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch to merge into: main.",
            "type": "string"
          },
          "body": {
            "maxLength": 65536,
            "description": "What it does and why. GitHub-flavored Markdown.",
            "type": "string"
          },
          "draft": {
            "description": "Whether to open it as a draft.",
            "type": "boolean"
          },
          "maintainer_can_modify": {
            "description": "Whether maintainers can push to the branch of a fork.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Review a pull request: approve it, request changes, or comment. REQUEST_CHANGES and COMMENT need body. You cannot approve your own pull request.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the pull request: 42 for #42.",
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
            "description": "The text of the review. GitHub-flavored Markdown.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Merge a pull request into its base branch. Give sha (head.sha of get_pull_request) to prevent the merge of unreviewed commits. Returns the merge commit.",
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
            "description": "The user or organization that owns the repository: octo-org in octo-org/app.",
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
            "description": "The number of the pull request: 42 for #42.",
            "type": "integer"
          },
          "merge_method": {
            "default": "merge",
            "description": "Default: merge.",
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
            "description": "Merge only if this is the head of the pull request.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > jira 1`] = `
{
  "entry": {
    "id": "jira",
    "category": "productivity",
    "name": "Jira",
    "description": "Search issues with JQL; read, create, update, assign and move them; comment; upload and download attachments; list projects and people.",
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
        "read:jira-user": "See the people of the site: their names, and their email addresses if visible.",
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
      "description": "Search issues with JQL. Example: project = ENG AND statusCategory != Done AND assignee = currentUser() ORDER BY updated DESC. To search words: text ~ \\"login crash\\". A query without a restriction fails. Returns key, summary, status, type, priority, people and dates. Read one with get_issue.",
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
            "description": "JQL with at least one restriction, such as project = ENG or assignee = currentUser().",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "Maximum results per page. Default: 25.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Count the issues that match JQL. The count is approximate and can lag by some seconds.",
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
            "description": "JQL with at least one restriction, such as project = ENG or assignee = currentUser().",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one issue: description (HTML, under renderedFields), status, people, dates, links, sub-tasks and attachments (pass their IDs to download_attachment). For its comments use list_comments.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the transitions from the current status of an issue: the ID for transition_issue, and the resulting status.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create an issue in a project. list_issue_types returns the types of a project. Returns its key. Search for an existing issue first.",
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
            "description": "The key of the project (ENG for ENG-123), from list_projects.",
            "type": "string"
          },
          "issue_type": {
            "minLength": 1,
            "maxLength": 60,
            "description": "The name: Task, Bug, Story, Epic, Sub-task.",
            "type": "string"
          },
          "summary": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "The title, on one line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The description. Plain text: line breaks are kept, markup is not interpreted.",
            "type": "string"
          },
          "assignee_id": {
            "pattern": "^[A-Za-z0-9:_-]{1,128}$",
            "description": "The assignee. An account ID, from search_users.",
            "type": "string"
          },
          "priority": {
            "minLength": 1,
            "maxLength": 60,
            "description": "The name: Highest, High, Medium, Low, Lowest.",
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
            "description": "The parent issue: an epic, or the issue of a sub-task.",
            "type": "string"
          },
          "due_date": {
            "format": "date",
            "description": "The due date. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Update fields of an issue. Omitted fields stay unchanged. labels replaces all labels, description the whole text. To change the status use transition_issue; the assignee, assign_issue. Give at least one argument besides issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "summary": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "The title, on one line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The full new description. Plain text: line breaks are kept, markup is not interpreted.",
            "type": "string"
          },
          "priority": {
            "minLength": 1,
            "maxLength": 60,
            "description": "The name: Highest, High, Medium, Low, Lowest.",
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
            "description": "The parent issue.",
            "type": "string"
          },
          "due_date": {
            "format": "date",
            "description": "The due date. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Assign an issue to a person, or to nobody (account_id null).",
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
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "account_id": {
            "anyOf": [
              {
                "pattern": "^[A-Za-z0-9:_-]{1,128}$",
                "description": "The assignee. An account ID, from search_users.",
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Move an issue to another status with a transition from list_transitions.",
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
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "transition_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the transition, from list_transitions.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Link two issues. With type Blocks, inward_issue blocks outward_issue.",
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
            "description": "The name: Blocks, Relates, Duplicate, Cloners.",
            "type": "string"
          },
          "inward_issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue that blocks, duplicates or relates: ENG-1.",
            "type": "string"
          },
          "outward_issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The other issue: ENG-2.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the comments of an issue: ID, author, text (HTML, in renderedBody) and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "order": {
            "description": "created (oldest first) or -created (newest first). Default: created.",
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
            "description": "Maximum results per page. Default: 25.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Comment on an issue. Everyone who watches it is notified. Returns the ID of the comment.",
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
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The comment. Plain text: line breaks are kept, markup is not interpreted.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "title": "Update a comment",
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
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "comment_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the comment, from list_comments.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The full new comment. Plain text: line breaks are kept, markup is not interpreted.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update a comment",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__download_attachment",
      "title": "Download an attachment",
      "description": "Download an attachment of an issue. Returns a temporary link.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "attachment_id"
        ],
        "properties": {
          "attachment_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the attachment, from get_issue.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "The name of the file: report.csv.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Attach a new file to an issue, from text or base64. Returns its ID, name and size.",
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
            "description": "The key of the issue (ENG-123) or its ID.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "The name of the file: report.csv.",
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
            "description": "The encoding of content. Default: text.",
            "type": "string",
            "enum": [
              "text",
              "base64"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Delete an attachment from its issue. It cannot be restored.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "attachment_id"
        ],
        "properties": {
          "attachment_id": {
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the attachment, from get_issue.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the projects that you can see, optionally filtered by name or key: key, name, type and lead.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 200,
            "description": "A part of the name or key.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the issue types that you can create in a project with create_issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "pattern": "^([A-Z][A-Z0-9_]{1,30}|[0-9]{1,18})$",
            "description": "The key of the project (ENG for ENG-123), from list_projects.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Find people by name or email address. Returns account IDs for assign_issue and JQL.",
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
            "description": "The beginning of a name or an email address: ada.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read the connected user: account ID, name and time zone.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "account": {
            "description": "The account to use. Required if you have several.",
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

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > linear 1`] = `
{
  "entry": {
    "id": "linear",
    "category": "productivity",
    "name": "Linear",
    "description": "Search, read, create and update issues; comment; list teams, states, labels, cycles, projects and people.",
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
      "description": "Search issues by words in title and description (optionally comments), best match first. To list issues by state, team or person use list_issues. Returns identifier, title, state, team, assignee and dates.",
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
            "description": "Words without search syntax: login crash safari.",
            "type": "string"
          },
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only the team with this key (ENG for ENG-123), from list_teams.",
            "type": "string"
          },
          "include_comments": {
            "description": "Also search comments.",
            "type": "boolean"
          },
          "include_archived": {
            "description": "Include archived issues.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "Maximum results per page. Default: 25.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List issues by team, state, person, project, label, priority or time. All given filters apply. For your work in progress: assigned_to_me true, state_types [\\"started\\"].",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only the team with this key (ENG for ENG-123), from list_teams.",
            "type": "string"
          },
          "assigned_to_me": {
            "description": "true: only your issues. false: only those of others.",
            "type": "boolean"
          },
          "assignee_email": {
            "minLength": 3,
            "maxLength": 254,
            "description": "Only issues assigned to the person with this email address.",
            "type": "string"
          },
          "state": {
            "minLength": 1,
            "maxLength": 100,
            "description": "Only issues in the state with this name: In Review.",
            "type": "string"
          },
          "state_types": {
            "minItems": 1,
            "maxItems": 7,
            "description": "Only issues in states of these types.",
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
            "description": "Only issues of this project, from list_projects. A UUID.",
            "type": "string"
          },
          "label": {
            "minLength": 1,
            "maxLength": 100,
            "description": "Only issues with the label of this name.",
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
            "description": "Only issues created after this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "updated_after": {
            "format": "date-time",
            "description": "Only issues updated after this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "order_by": {
            "description": "Newest first. Default: createdAt.",
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
            "description": "Maximum results per page. Default: 25.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one issue: description, state, people, project, cycle, labels, parent, sub-issues and links. For its comments use list_comments. Pass the IDs in the result to update_issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the comments of an issue: ID, text, author, time, and the comment that each replies to.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "Maximum results per page. Default: 25.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create an issue in a team. IDs come from list_teams, list_states, list_labels, list_users and list_projects. Returns its identifier (ENG-123) and URL. Search for an existing issue first.",
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
            "description": "The team, from list_teams. A UUID.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 512,
            "description": "The title, on one line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 100000,
            "description": "The description. Markdown.",
            "type": "string"
          },
          "state_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The initial state, from list_states. Default: the team’s default state. A UUID.",
            "type": "string"
          },
          "assignee_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The assignee, from list_users. A UUID.",
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
              "description": "A label, from list_labels. A UUID.",
              "type": "string"
            }
          },
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The project, from list_projects. A UUID.",
            "type": "string"
          },
          "cycle_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The cycle, from list_cycles. A UUID.",
            "type": "string"
          },
          "parent": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The parent issue. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "estimate": {
            "minimum": 0,
            "maximum": 64,
            "description": "Points on the team’s scale.",
            "type": "integer"
          },
          "due_date": {
            "format": "date",
            "description": "The due date. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Update an issue. Omitted fields stay unchanged. To change the state give state_id (list_states of its team). Labels are added and removed one by one; the others stay. Give at least one argument besides issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 512,
            "description": "The title, on one line.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 100000,
            "description": "The full new description. Markdown.",
            "type": "string"
          },
          "state_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The new state, from list_states. A UUID.",
            "type": "string"
          },
          "assignee_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The new assignee, from list_users. A UUID.",
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
              "description": "A label, from list_labels. A UUID.",
              "type": "string"
            }
          },
          "remove_label_ids": {
            "maxItems": 50,
            "type": "array",
            "items": {
              "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
              "description": "A label, from list_labels. A UUID.",
              "type": "string"
            }
          },
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The new project, from list_projects. A UUID.",
            "type": "string"
          },
          "cycle_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The new cycle, from list_cycles. A UUID.",
            "type": "string"
          },
          "parent": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The parent issue. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "estimate": {
            "minimum": 0,
            "maximum": 64,
            "description": "Points on the team’s scale.",
            "type": "integer"
          },
          "due_date": {
            "format": "date",
            "description": "The due date. For example 2026-03-31.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Archive an issue. It disappears from all lists and can be restored in Linear.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The issue. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Comment on an issue, or reply to one of its comments. Everyone who follows the issue is notified.",
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
            "description": "The issue. Its identifier (ENG-123) or ID.",
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
            "description": "The comment this replies to, from list_comments. A UUID.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Record that an issue blocks, duplicates or relates to another.",
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
            "description": "The issue that blocks, or is the duplicate. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "related_issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The other issue. Its identifier (ENG-123) or ID.",
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
            "description": "The account to use. Required if you have several.",
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
            "description": "The issue. Its identifier (ENG-123) or ID.",
            "type": "string"
          },
          "url": {
            "pattern": "^https?://[^\\\\s]+$",
            "maxLength": 2048,
            "description": "The URL of the page.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 512,
            "description": "The title of the link.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List projects with status, health, progress (0 to 1), lead and target date. Filter by name or team.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 200,
            "description": "Only those with this text in the name.",
            "type": "string"
          },
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only the team with this key (ENG for ENG-123), from list_teams.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "Maximum results per page. Default: 25.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one project: description, content, status, health, dates, lead, teams, milestones and latest update.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project_id"
        ],
        "properties": {
          "project_id": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The project, from list_projects. A UUID.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Post a status update to everyone who follows a project.",
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
            "description": "The project, from list_projects. A UUID.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 100000,
            "description": "The update. Markdown.",
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
            "description": "The account to use. Required if you have several.",
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
      "description": "List the teams that you can see: ID, key (the prefix of their issues) and name.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the workflow states of issues, with IDs for create_issue and update_issue. Each belongs to one team.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only the team with this key (ENG for ENG-123), from list_teams.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List issue labels with their IDs. Labels without a team belong to the workspace.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 200,
            "description": "Only those with this text in the name.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the people of the workspace with IDs, names and email addresses. isMe marks you.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 200,
            "description": "Only those with this text in the name.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the cycles (sprints) of teams with IDs, dates and progress. Set active for the current ones.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "team": {
            "pattern": "^[A-Z0-9]{1,10}$",
            "description": "Only the team with this key (ENG for ENG-123), from list_teams.",
            "type": "string"
          },
          "active": {
            "description": "true: only current cycles. false: only the others.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > resend 1`] = `
{
  "entry": {
    "id": "resend",
    "category": "communication",
    "name": "Resend",
    "description": "Send and schedule email, track delivery, and manage domains, contacts, segments and broadcasts.",
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
      "description": "Send an email now, or later with scheduled_at. Give html, text or both. Returns its ID for get_email, reschedule_email and cancel_email.",
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
            "description": "The sender, on a verified domain (list_domains): Ada <ada@example.com>",
            "type": "string"
          },
          "to": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Email addresses, at most 50.",
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
            "description": "Default: derived from html.",
            "type": "string"
          },
          "cc": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Email addresses, at most 50.",
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
            "description": "Email addresses, at most 50.",
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
            "description": "Email addresses, at most 50.",
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
            "description": "The time to send at, at most 30 days ahead: ISO 8601 (2026-03-01T09:00:00Z) or plain English (in 1 hour).",
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
                  "description": "The URL that Resend fetches the attachment from.",
                  "type": "string"
                }
              }
            }
          },
          "tags": {
            "minItems": 1,
            "maxItems": 20,
            "description": "Tags that identify the email in events.",
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
            "description": "The account to use. Required if you have several.",
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
      "description": "List sent and scheduled emails, newest first: ID, addresses, subject, dates, and the last event of each (delivered, bounced, opened). Read one with get_email.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one sent or scheduled email: its content and its last event.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email"
        ],
        "properties": {
          "email": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The ID of the email, from send_email or list_emails.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Change the time of a scheduled email.",
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
            "description": "The ID of the email, from send_email or list_emails.",
            "type": "string"
          },
          "scheduled_at": {
            "minLength": 1,
            "maxLength": 100,
            "description": "The time to send at, at most 30 days ahead: ISO 8601 (2026-03-01T09:00:00Z) or plain English (in 1 hour).",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Cancel a scheduled email. It cannot be scheduled again.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "email"
        ],
        "properties": {
          "email": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The ID of the email, from send_email or list_emails.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the sending domains with their IDs and verification status.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one domain: its status and the DNS records that it needs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "domain"
        ],
        "properties": {
          "domain": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The ID of the domain, from list_domains.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add a domain. Returns the DNS records to set. Then start their check with verify_domain.",
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
            "description": "The domain: updates.example.com.",
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
            "description": "The account to use. Required if you have several.",
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
      "description": "Start the check of a domain's DNS records. get_domain returns the outcome.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "domain"
        ],
        "properties": {
          "domain": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The ID of the domain, from list_domains.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List contacts, of all segments or of one: ID, email address, names, and whether broadcasts skip them.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "segment": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "Only contacts of this segment: its ID, from list_segments.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one contact, by ID or email address.",
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
            "description": "The ID of the contact (from list_contacts), or its email address.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add a contact. Returns its ID. To put it into a segment, use add_contact_to_segment.",
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
            "description": "Only the email address: ada@example.com.",
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
            "description": "Whether broadcasts skip the contact.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Update a contact's names, or whether broadcasts reach it. Omitted fields stay unchanged.",
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
            "description": "The ID of the contact (from list_contacts), or its email address.",
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
            "description": "Whether broadcasts skip the contact.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add a contact to a segment.",
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
            "description": "The ID of the contact (from list_contacts), or its email address.",
            "type": "string"
          },
          "segment": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The ID of the segment, from list_segments.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the segments (formerly audiences) of contacts: ID and name.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add an empty segment. Returns its ID for add_contact_to_segment and create_broadcast.",
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
            "description": "The account to use. Required if you have several.",
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
      "description": "List drafted, scheduled and sent broadcasts: ID, name, status, segment and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Draft an email to a whole segment. Give html, text or both. Returns its ID. Send it with send_broadcast.",
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
            "description": "The ID of the segment to send to, from list_segments.",
            "type": "string"
          },
          "from": {
            "minLength": 3,
            "maxLength": 320,
            "description": "The sender, on a verified domain (list_domains): Ada <ada@example.com>",
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
            "description": "An internal name. Recipients do not see it.",
            "type": "string"
          },
          "preview_text": {
            "minLength": 1,
            "maxLength": 255,
            "type": "string"
          },
          "html": {
            "minLength": 1,
            "description": "The HTML. Use {{{RESEND_UNSUBSCRIBE_URL}}} for the unsubscribe link.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Send a drafted broadcast to its whole segment, now or later. A sent broadcast cannot be recalled.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "broadcast"
        ],
        "properties": {
          "broadcast": {
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "description": "The ID of the broadcast, from create_broadcast or list_broadcasts.",
            "type": "string"
          },
          "scheduled_at": {
            "minLength": 1,
            "maxLength": 100,
            "description": "The time to send at, at most 30 days ahead: ISO 8601 (2026-03-01T09:00:00Z) or plain English (in 1 hour).",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > slack 1`] = `
{
  "entry": {
    "id": "slack",
    "category": "communication",
    "name": "Slack",
    "description": "Search and read messages, threads, channels, people and files; post, schedule, update and react to messages.",
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
        "channels:manage": "Create public channels, invite people to them and set their topics.",
        "groups:write": "Create private channels, invite people to them and set their topics.",
        "im:write": "Start direct messages.",
        "mpim:write": "Start group direct messages.",
        "chat:write": "Post messages as the app; update and delete its own.",
        "reactions:write": "Add and remove emoji reactions.",
        "users:read": "See the people of the workspace.",
        "users:read.email": "See the email addresses of people, and find people by them.",
        "files:read": "See the files of conversations the app was added to."
      },
      "user_scopes": [
        "search:read"
      ],
      "user_scope_descriptions": {
        "search:read": "Search the messages that you can see, with your own identity."
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
      "description": "Search all messages that the connected person can see, with Slack search syntax. Example: \\"release notes\\" in:#general from:@ada after:2026-01-01 has:link. Returns text, author, channel, ts and permalink.",
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
            "description": "Default: score (best match).",
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
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read the messages of a channel or direct message, newest first. Thread replies are not included: if reply_count is set, use read_thread. user is an ID: get_user returns the name. The app must be in the channel.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "oldest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages after this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "latest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages before this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "inclusive": {
            "description": "Whether to include messages exactly at oldest and latest.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 200,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read a thread, oldest first: the first message and its replies.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the first message of the thread (thread_ts of any of its replies). For example 1712345678.123456.",
            "type": "string"
          },
          "oldest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages after this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "latest": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages before this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 200,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Get the URL of a message.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List shared files, newest first: ID, name, type, size, who shared it, where, and a link.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "user": {
            "pattern": "^[UW][A-Z0-9]{2,30}$",
            "description": "Only files of the person with this ID.",
            "type": "string"
          },
          "ts_from": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only files created after this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "ts_to": {
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only files created before this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "types": {
            "description": "Default: all.",
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
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List channels with their IDs, topics and number of members. is_member says whether the app is in the channel and can read it. Follow cursor to the end: a page can be shorter than limit even if more pages follow.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "types": {
            "minItems": 1,
            "maxItems": 4,
            "uniqueItems": true,
            "description": "Which kinds. Default: public channels.",
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
            "description": "Whether to omit archived channels.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 999,
            "default": 100,
            "description": "Maximum results per page. Default: 100.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one channel: name, topic, purpose, number of members, and whether the app is in it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the IDs of the people in a channel. get_user returns their names.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 999,
            "default": 100,
            "description": "Maximum results per page. Default: 100.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create a channel that includes the app. Returns its ID for invite_to_channel and post_message.",
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
            "description": "Lowercase letters, digits, hyphens and underscores: project-apollo.",
            "type": "string"
          },
          "is_private": {
            "description": "Whether only invited people can see it.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add people to a channel that the app is in.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "users": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The IDs of the people.",
            "type": "array",
            "items": {
              "pattern": "^[UW][A-Z0-9]{2,30}$",
              "description": "The ID of a person: U0123456789. From list_users or find_user_by_email.",
              "type": "string"
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add the app to a public channel so that it can read messages there.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel"
        ],
        "properties": {
          "channel": {
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Set the topic of a channel.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "topic": {
            "maxLength": 250,
            "description": "The new topic. Empty removes it.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Open a direct message with one person, or a group message with up to eight. An existing conversation is reused. Returns the ID of the conversation for post_message.",
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
            "description": "The IDs of the people, without the app.",
            "type": "array",
            "items": {
              "pattern": "^[UW][A-Z0-9]{2,30}$",
              "description": "The ID of a person: U0123456789. From list_users or find_user_by_email.",
              "type": "string"
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Post a message to a channel or direct message as the app, or reply in a thread. Everyone there sees it at once. Returns channel and ts, which identify the message. To message a person, call open_direct_message first.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
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
            "description": "Reply in the thread of the message with this ts. For example 1712345678.123456.",
            "type": "string"
          },
          "reply_broadcast": {
            "description": "Whether to also show the reply in the channel.",
            "type": "boolean"
          },
          "unfurl_links": {
            "description": "Whether to show link previews.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "title": "Update a message",
      "description": "Replace the text of a message that the app posted.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Slack’s mrkdwn: *bold*, _italic_, \`code\`, <https://example.com|a link>, <@U0123456789> to mention. Keep it below 4000 characters.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update a message",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__delete_message",
      "title": "Delete a message",
      "description": "Delete a message that the app posted. It cannot be restored.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Schedule a message, at most 120 days ahead. Returns scheduled_message_id.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
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
            "description": "The time to post, in seconds since 1970.",
            "type": "integer"
          },
          "thread_ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "Reply in the thread of the message with this ts. For example 1712345678.123456.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "emoji": {
            "pattern": "^[a-z0-9_+'-]{1,100}$",
            "description": "The name of an emoji without colons: thumbsup.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "title": "Remove a reaction",
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
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels.",
            "type": "string"
          },
          "ts": {
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "emoji": {
            "pattern": "^[a-z0-9_+'-]{1,100}$",
            "description": "The name of an emoji without colons: thumbsup.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Remove a reaction",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__list_users",
      "title": "List people",
      "description": "List the people of the workspace, including bots and deleted users: ID, name, email address and time zone.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 200,
            "default": 100,
            "description": "Maximum results per page. Default: 100.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one person by ID: name, display name, email address, title and time zone.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "user"
        ],
        "properties": {
          "user": {
            "pattern": "^[UW][A-Z0-9]{2,30}$",
            "description": "The ID of a person: U0123456789. From list_users or find_user_by_email.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "title": "Find a person by email",
      "description": "Find a person by email address. Returns the ID for open_direct_message and mentions.",
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
            "description": "The full email address: ada@example.com.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Find a person by email",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > stripe 1`] = `
{
  "entry": {
    "id": "stripe",
    "category": "business",
    "name": "Stripe",
    "description": "Search and read customers, payments, invoices and subscriptions; bill, refund and create payment links.",
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
      "description": "List customers, newest first. Filter by email address.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "email": {
            "minLength": 3,
            "maxLength": 512,
            "type": "string",
            "description": "The exact email address, case-sensitive."
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "A query in Stripe's search language, for example: name~\\"ada\\" AND created>1700000000. New objects appear after about a minute.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one customer, including addresses, metadata and the default payment method.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "customer"
        ],
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…, from list_customers or search_customers.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create a customer. Stripe does not reject a duplicate email address: check with list_customers first.",
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
            "description": "Key-value data to store with the object.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Update a customer. Omitted fields stay unchanged. metadata is merged.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "customer"
        ],
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…, from list_customers or search_customers.",
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
            "description": "Key-value data to store with the object.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List products, newest first: ID, name, and the ID of the default price.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "active": {
            "description": "true: only active products. false: only inactive ones.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List prices, newest first. Filter by product.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "product": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "prod_…, from list_products.",
            "type": "string"
          },
          "active": {
            "description": "true: only active products. false: only inactive ones.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read the available and pending balance of the account, by currency.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List balance transactions, newest first: charges, refunds, fees and payouts.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "type": {
            "minLength": 1,
            "maxLength": 100,
            "description": "The type: charge, refund, payout, …",
            "type": "string"
          },
          "payout": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "Only transactions of this payout: po_…, the source of a transaction of type payout.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List payments, including failed and pending ones, newest first. Filter by customer.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…, from list_customers or search_customers.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "A query in Stripe's search language, for example: status:\\"succeeded\\" AND amount>10000. New objects appear after about a minute.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one payment: its status, and why it failed.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "payment_intent"
        ],
        "properties": {
          "payment_intent": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "pi_…, from list_payment_intents or search_payment_intents.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List refunds, newest first. Filter by payment.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "payment_intent": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "pi_…, from list_payment_intents or search_payment_intents.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Refund a payment, in full or in part. A refund cannot be canceled.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "payment_intent"
        ],
        "properties": {
          "payment_intent": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "pi_…, from list_payment_intents or search_payment_intents.",
            "type": "string"
          },
          "amount": {
            "minimum": 1,
            "maximum": 99999999,
            "description": "The amount to refund. Default: the remaining amount. In the smallest unit of the currency: 1050 is 10.50 euros or 1050 yen.",
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
            "description": "Key-value data to store with the object.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create a payment page that anyone with its URL can use. Returns the URL.",
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
            "description": "The items to buy.",
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
                  "description": "price_…, from list_prices.",
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
            "description": "Key-value data to store with the object.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List invoices, newest first. Filter by customer, subscription and status.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…, from list_customers or search_customers.",
            "type": "string"
          },
          "subscription": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "sub_…, from list_subscriptions.",
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
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "A query in Stripe's search language, for example: total>10000 AND status:\\"open\\". New objects appear after about a minute.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "in_…, from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Create an empty draft invoice. Returns its ID. Add lines with add_invoice_item, then use finalize_invoice.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "customer"
        ],
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…, from list_customers or search_customers.",
            "type": "string"
          },
          "collection_method": {
            "description": "send_invoice needs days_until_due. Default: charge_automatically.",
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
            "description": "Key-value data to store with the object.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add a line to a draft invoice.",
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
            "description": "The customer of the invoice: cus_…",
            "type": "string"
          },
          "invoice": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "in_…, from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "amount": {
            "minimum": 1,
            "maximum": 99999999,
            "description": "The amount of the line. In the smallest unit of the currency: 1050 is 10.50 euros or 1050 yen.",
            "type": "integer"
          },
          "currency": {
            "pattern": "^[a-z]{3}$",
            "description": "A lowercase ISO 4217 code: eur.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 5000,
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Finalize a draft: the invoice gets its number and is open. No more lines can be added.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "invoice"
        ],
        "properties": {
          "invoice": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "in_…, from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Send an invoice to its customer by email. This finalizes a draft.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "invoice"
        ],
        "properties": {
          "invoice": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "in_…, from list_invoices, search_invoices or create_invoice.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List subscriptions, newest first. Canceled ones need status canceled or all. Filter by customer and price.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "customer": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "cus_…, from list_customers or search_customers.",
            "type": "string"
          },
          "price": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "price_…, from list_prices.",
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
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Set whether a subscription ends with its period (cancel_at_period_end); false keeps it running. metadata is merged.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "subscription"
        ],
        "properties": {
          "subscription": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "sub_…, from list_subscriptions.",
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
            "description": "Key-value data to store with the object.",
            "type": "object",
            "patternProperties": {
              "^[A-Za-z0-9_-]{1,40}$": {
                "maxLength": 500,
                "type": "string"
              }
            }
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "End a subscription immediately and permanently. To end it with its period, use update_subscription.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "subscription"
        ],
        "properties": {
          "subscription": {
            "pattern": "^[A-Za-z0-9_-]{1,255}$",
            "description": "sub_…, from list_subscriptions.",
            "type": "string"
          },
          "invoice_now": {
            "description": "Whether to bill usage that is not billed yet.",
            "type": "boolean"
          },
          "prorate": {
            "description": "Whether to credit the unused time.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > trello 1`] = `
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
      "access_summary": "Read and change all boards, lists and cards that you can see, until you revoke the access.",
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
      "description": "List the boards of the connected member: ID, name, description and URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "filter": {
            "description": "Which boards. Default: all.",
            "type": "string",
            "enum": [
              "open",
              "closed",
              "starred",
              "all"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one board with its open lists, labels and members, and their IDs for other tools.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board"
        ],
        "properties": {
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The board: its ID (from list_boards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the lists (columns) of a board with their IDs, from left to right.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board"
        ],
        "properties": {
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The board: its ID (from list_boards), or the short link in its URL.",
            "type": "string"
          },
          "filter": {
            "description": "Which lists. Default: open.",
            "type": "string",
            "enum": [
              "open",
              "closed",
              "all"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add a list (column) to a board. Returns its ID for create_card.",
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
            "description": "The ID of the board, from list_boards. All 24 digits, not the short link.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "position": {
            "description": "top is the far left. Default: top.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the open cards of a list, from top to bottom. To search several lists or boards, use search_cards.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "list"
        ],
        "properties": {
          "list": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The ID of the list. From list_lists or get_board.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the members of a board, with the IDs that assign cards.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board"
        ],
        "properties": {
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The board: its ID (from list_boards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Search the cards of all boards of the connected member. Supports Trello's search operators.",
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
            "description": "Only cards on these boards: their IDs, from list_boards.",
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
            "description": "Maximum results per page. Default: 30.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Read one card with its list, members, checklists and attachments. Pass the IDs of its items to update_checklist_item. For its comments use list_comments.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add a card to a list. Returns its ID and URL.",
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
            "description": "The ID of the list. From list_lists or get_board.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "description": {
            "maxLength": 16384,
            "description": "Markdown. Replaces the current text.",
            "type": "string"
          },
          "due": {
            "format": "date-time",
            "description": "The due date. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "members": {
            "maxItems": 50,
            "description": "The IDs of all assigned members, from list_board_members. Replaces the current members.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A member.",
              "type": "string"
            }
          },
          "labels": {
            "maxItems": 50,
            "description": "The IDs of all labels, from get_board. Replaces the current labels.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A label.",
              "type": "string"
            }
          },
          "position": {
            "description": "Default: bottom.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Update the text, due date, members or labels of a card; archive or restore it. Omitted fields stay unchanged. To move it to another list, use move_card.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "description": {
            "maxLength": 16384,
            "description": "Markdown. Replaces the current text.",
            "type": "string"
          },
          "due": {
            "format": "date-time",
            "description": "The due date. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "members": {
            "maxItems": 50,
            "description": "The IDs of all assigned members, from list_board_members. Replaces the current members.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A member.",
              "type": "string"
            }
          },
          "labels": {
            "maxItems": 50,
            "description": "The IDs of all labels, from get_board. Replaces the current labels.",
            "type": "array",
            "items": {
              "pattern": "^[A-Za-z0-9]{8,24}$",
              "description": "A label.",
              "type": "string"
            }
          },
          "due_complete": {
            "description": "Whether the card is done.",
            "type": "boolean"
          },
          "archived": {
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Move a card to another list, on the same board or another.",
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
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "list": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The ID of the target list. From list_lists or get_board.",
            "type": "string"
          },
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The ID of the target list’s board, from list_boards. Required if the board changes.",
            "type": "string"
          },
          "position": {
            "description": "Default: bottom.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "List the comments on a card, newest first: text, author and date.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 20,
            "description": "Maximum results per page. Default: 20.",
            "type": "integer"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Comment on a card. Everyone who follows it is notified.",
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
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 16384,
            "description": "Markdown.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Add an empty checklist to a card. Returns its ID for add_checklist_item.",
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
            "description": "The ID of the card, from get_card. All 24 digits, not the short link.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "The ID of the checklist, from get_card or create_checklist.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "position": {
            "description": "Default: bottom.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
      "description": "Check off an item of a checklist (state complete), or change its text.",
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
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "item": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The ID of the item, from get_card.",
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
            "description": "The account to use. Required if you have several.",
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
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
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
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
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
            "description": "The account to use. Required if you have several.",
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
