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
      "description": "Write one file in one commit. To replace a file, give its sha (from get_directory); without it, GitHub rejects a write to an existing file. Files under .github/workflows need the scope \\"workflow\\". Returns the commit.",
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
            "minLength": 0,
            "maxLength": 1000000,
            "description": "The whole file, at most 25 MiB: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
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
            "description": "The number of the issue: 42 for #42. From list_issues or search_issues.",
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
            "description": "The number of the issue: 42 for #42. From list_issues or search_issues.",
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
            "description": "The number of the issue or pull request: 42 for #42. From list_issues or search_issues.",
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
            "description": "The number of the issue or pull request: 42 for #42. From list_issues or search_issues.",
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
            "description": "The number of the pull request: 42 for #42. From list_pull_requests or search_issues.",
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
            "description": "The number of the pull request: 42 for #42. From list_pull_requests or search_issues.",
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
            "description": "The number of the pull request: 42 for #42. From list_pull_requests or search_issues.",
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
            "description": "The number of the pull request: 42 for #42. From list_pull_requests or search_issues.",
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
            "description": "The number of the pull request: 42 for #42. From list_pull_requests or search_issues.",
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

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > gitlab 1`] = `
{
  "entry": {
    "id": "gitlab",
    "category": "developer",
    "name": "GitLab",
    "description": "Search projects, code, issues and merge requests; create, update and comment on them; read and write files, branches and commits; watch pipelines and read job logs.",
    "url": "http://localhost/connectors/gitlab",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "api"
      ],
      "scope_descriptions": {
        "api": "Read and write everything you can in GitLab: projects, code, issues, merge requests and pipelines."
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
      "name": "gitlab__search_projects",
      "title": "Search projects",
      "description": "List or search projects, the most recently active first. Returns IDs and paths, which other tools take as project.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "search": {
            "minLength": 3,
            "maxLength": 255,
            "description": "Words in the path, name or description, at least 3 characters.",
            "type": "string"
          },
          "membership": {
            "description": "Only projects you are a member of. Default: true. false includes public projects.",
            "type": "boolean",
            "default": true
          },
          "archived": {
            "description": "Only archived projects, or only others.",
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
        "title": "Search projects",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_project",
      "title": "Get a project",
      "description": "Read one project: description, default branch, visibility, open issues, merge method and URLs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
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
      "name": "gitlab__search_code",
      "title": "Search code",
      "description": "Search the text of the files of a project. Returns paths and the lines around each match. Read a file with get_file.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "search"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "search": {
            "minLength": 3,
            "maxLength": 500,
            "description": "Words, and filters: filename:*.ts path:src extension:md.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch, a tag or a commit. Default: the default branch.",
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
        "title": "Search code",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_members",
      "title": "List the members of a project",
      "description": "List or search the members of a project and of its groups. Returns user IDs, logins and access levels.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "query": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Words in the name, login or email address.",
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
        "title": "List the members of a project",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_labels",
      "title": "List labels",
      "description": "List or search the labels of a project and of its groups: names and what they are for.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "search": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Words in the name.",
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
        "title": "List labels",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_milestones",
      "title": "List milestones",
      "description": "List or search the milestones of a project. Returns IDs, titles and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "state": {
            "type": "string",
            "enum": [
              "active",
              "closed"
            ]
          },
          "search": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Words in the title or description.",
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
        "title": "List milestones",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__search_issues",
      "title": "Search issues",
      "description": "Search issues in all projects. Returns number (iid), project ID, title, state, labels and assignees. For one project use list_issues. Read the text with get_issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "scope": {
            "description": "Default: assigned_to_me. all includes every public project of gitlab.com, and may be slow.",
            "type": "string",
            "enum": [
              "assigned_to_me",
              "created_by_me",
              "all"
            ],
            "default": "assigned_to_me"
          },
          "search": {
            "minLength": 1,
            "maxLength": 500,
            "description": "Words in the title or description.",
            "type": "string"
          },
          "state": {
            "description": "Default: all.",
            "type": "string",
            "enum": [
              "opened",
              "closed",
              "all"
            ]
          },
          "labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Only issues with all of these labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "author_username": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^@\\\\s]+$",
            "description": "Only issues by this login.",
            "type": "string"
          },
          "updated_after": {
            "format": "date-time",
            "description": "Only issues updated since this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "order_by": {
            "description": "Default: created_at.",
            "type": "string",
            "enum": [
              "created_at",
              "updated_at"
            ]
          },
          "sort": {
            "description": "Default: desc, the newest first.",
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
        "title": "Search issues",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_issues",
      "title": "List issues",
      "description": "List or search the issues of one project. Returns number (iid), title, state, labels and assignees.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "assignee_username": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^@\\\\s]+$",
            "description": "Only issues assigned to this login.",
            "type": "string"
          },
          "milestone": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only issues of this milestone, by title.",
            "type": "string"
          },
          "search": {
            "minLength": 1,
            "maxLength": 500,
            "description": "Words in the title or description.",
            "type": "string"
          },
          "state": {
            "description": "Default: all.",
            "type": "string",
            "enum": [
              "opened",
              "closed",
              "all"
            ]
          },
          "labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Only issues with all of these labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "author_username": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^@\\\\s]+$",
            "description": "Only issues by this login.",
            "type": "string"
          },
          "updated_after": {
            "format": "date-time",
            "description": "Only issues updated since this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "order_by": {
            "description": "Default: created_at.",
            "type": "string",
            "enum": [
              "created_at",
              "updated_at"
            ]
          },
          "sort": {
            "description": "Default: desc, the newest first.",
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
        "title": "List issues",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_issue",
      "title": "Get an issue",
      "description": "Read one issue: text, state, labels, assignees, milestone and dates. Comments: list_issue_comments.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "issue"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "issue": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the issue, from search_issues or list_issues.",
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
      "name": "gitlab__create_issue",
      "title": "Create an issue",
      "description": "Create an issue. Labels that do not exist are created. Search for an existing issue first.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "title"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The title.",
            "type": "string"
          },
          "description": {
            "minLength": 1,
            "maxLength": 200000,
            "description": "The text. GitLab Flavored Markdown.",
            "type": "string"
          },
          "labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Labels by name, from list_labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "assignee_ids": {
            "minItems": 1,
            "maxItems": 50,
            "description": "The assignees. IDs from list_members.",
            "type": "array",
            "items": {
              "minimum": 0,
              "type": "integer"
            }
          },
          "milestone_id": {
            "minimum": 0,
            "maximum": 2147483647,
            "description": "A milestone by ID, from list_milestones. 0 for none.",
            "type": "integer"
          },
          "due_date": {
            "format": "date",
            "description": "The due date. For example 2026-03-31.",
            "type": "string"
          },
          "confidential": {
            "description": "Only visible to members. Default: false.",
            "type": "boolean"
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
      "name": "gitlab__update_issue",
      "title": "Update an issue",
      "description": "Update, close or reopen an issue. Omitted fields stay unchanged. assignee_ids replaces all assignees.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "issue"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "issue": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the issue, from search_issues or list_issues.",
            "type": "integer"
          },
          "title": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The title.",
            "type": "string"
          },
          "description": {
            "maxLength": 200000,
            "description": "The full new text; empty removes it. GitLab Flavored Markdown.",
            "type": "string"
          },
          "state_event": {
            "type": "string",
            "enum": [
              "close",
              "reopen"
            ]
          },
          "add_labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Labels to add, by name.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "remove_labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Labels to remove, by name.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "assignee_ids": {
            "minItems": 1,
            "maxItems": 50,
            "description": "All assignees; [0] for none. IDs from list_members.",
            "type": "array",
            "items": {
              "minimum": 0,
              "type": "integer"
            }
          },
          "milestone_id": {
            "minimum": 0,
            "maximum": 2147483647,
            "description": "A milestone by ID, from list_milestones. 0 for none.",
            "type": "integer"
          },
          "due_date": {
            "format": "date",
            "description": "The due date. For example 2026-03-31.",
            "type": "string"
          },
          "confidential": {
            "description": "Only visible to members.",
            "type": "boolean"
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
      "name": "gitlab__list_issue_comments",
      "title": "List the comments of an issue",
      "description": "List the comments of an issue, the newest first. Notes with system are changes that GitLab records.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "issue"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "issue": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the issue, from search_issues or list_issues.",
            "type": "integer"
          },
          "order_by": {
            "description": "Default: created_at.",
            "type": "string",
            "enum": [
              "created_at",
              "updated_at"
            ]
          },
          "sort": {
            "description": "Default: desc, the newest first.",
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
        "title": "List the comments of an issue",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__create_issue_comment",
      "title": "Comment on an issue",
      "description": "Add a comment to an issue. Everyone who follows the issue is notified.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "issue",
          "body"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "issue": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the issue, from search_issues or list_issues.",
            "type": "integer"
          },
          "body": {
            "minLength": 1,
            "maxLength": 200000,
            "description": "The comment. GitLab Flavored Markdown.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Comment on an issue",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__search_merge_requests",
      "title": "Search merge requests",
      "description": "Search merge requests in all projects. Returns number (iid), project ID, title, state and branches. For one project use list_merge_requests.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "scope": {
            "description": "Default: assigned_to_me. all includes every public project of gitlab.com, and may be slow.",
            "type": "string",
            "enum": [
              "assigned_to_me",
              "created_by_me",
              "all"
            ],
            "default": "assigned_to_me"
          },
          "search": {
            "minLength": 1,
            "maxLength": 500,
            "description": "Words in the title or description.",
            "type": "string"
          },
          "state": {
            "description": "Default: all.",
            "type": "string",
            "enum": [
              "opened",
              "closed",
              "merged",
              "locked",
              "all"
            ]
          },
          "labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Only merge requests with all of these labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "author_username": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^@\\\\s]+$",
            "description": "Only merge requests by this login.",
            "type": "string"
          },
          "reviewer_username": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^@\\\\s]+$",
            "description": "Only merge requests that this login reviews.",
            "type": "string"
          },
          "updated_after": {
            "format": "date-time",
            "description": "Only merge requests updated since this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "order_by": {
            "description": "Default: created_at.",
            "type": "string",
            "enum": [
              "created_at",
              "updated_at"
            ]
          },
          "sort": {
            "description": "Default: desc, the newest first.",
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
        "title": "Search merge requests",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_merge_requests",
      "title": "List merge requests",
      "description": "List or search the merge requests of one project. Returns number (iid), title, state and branches.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "source_branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only from this branch.",
            "type": "string"
          },
          "target_branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only into this branch.",
            "type": "string"
          },
          "search": {
            "minLength": 1,
            "maxLength": 500,
            "description": "Words in the title or description.",
            "type": "string"
          },
          "state": {
            "description": "Default: all.",
            "type": "string",
            "enum": [
              "opened",
              "closed",
              "merged",
              "locked",
              "all"
            ]
          },
          "labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Only merge requests with all of these labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "author_username": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^@\\\\s]+$",
            "description": "Only merge requests by this login.",
            "type": "string"
          },
          "reviewer_username": {
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[^@\\\\s]+$",
            "description": "Only merge requests that this login reviews.",
            "type": "string"
          },
          "updated_after": {
            "format": "date-time",
            "description": "Only merge requests updated since this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "order_by": {
            "description": "Default: created_at.",
            "type": "string",
            "enum": [
              "created_at",
              "updated_at"
            ]
          },
          "sort": {
            "description": "Default: desc, the newest first.",
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
        "title": "List merge requests",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_merge_request",
      "title": "Get a merge request",
      "description": "Read one merge request: text, branches, reviewers, the last pipeline, and whether it can be merged. Changes: list_merge_request_diffs. Comments: list_merge_request_comments.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "merge_request"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "merge_request": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the merge request, from search_merge_requests or list_merge_requests.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a merge request",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_merge_request_diffs",
      "title": "List the changes of a merge request",
      "description": "List the changed files of a merge request with their diffs. Large diffs are left out by GitLab.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "merge_request"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "merge_request": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the merge request, from search_merge_requests or list_merge_requests.",
            "type": "integer"
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
        "title": "List the changes of a merge request",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__create_merge_request",
      "title": "Create a merge request",
      "description": "Propose to merge one branch into another. Make the branch with create_branch. Returns number and URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "source_branch",
          "target_branch",
          "title"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "source_branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch with the changes.",
            "type": "string"
          },
          "target_branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch to merge into.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The title. A leading “Draft: ” makes it a draft.",
            "type": "string"
          },
          "labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Labels by name, from list_labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "description": {
            "maxLength": 200000,
            "description": "The text. GitLab Flavored Markdown.",
            "type": "string"
          },
          "assignee_ids": {
            "minItems": 1,
            "maxItems": 50,
            "description": "All assignees; [0] for none. IDs from list_members.",
            "type": "array",
            "items": {
              "minimum": 0,
              "type": "integer"
            }
          },
          "reviewer_ids": {
            "minItems": 1,
            "maxItems": 50,
            "description": "All reviewers; [0] for none. IDs from list_members.",
            "type": "array",
            "items": {
              "minimum": 0,
              "type": "integer"
            }
          },
          "milestone_id": {
            "minimum": 0,
            "maximum": 2147483647,
            "description": "A milestone by ID, from list_milestones. 0 for none.",
            "type": "integer"
          },
          "remove_source_branch": {
            "description": "Delete the source branch after the merge.",
            "type": "boolean"
          },
          "squash": {
            "description": "Merge as one commit.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a merge request",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__update_merge_request",
      "title": "Update a merge request",
      "description": "Update, close or reopen a merge request. Omitted fields stay unchanged.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "merge_request"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "merge_request": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the merge request, from search_merge_requests or list_merge_requests.",
            "type": "integer"
          },
          "title": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The title. A leading “Draft: ” makes it a draft.",
            "type": "string"
          },
          "target_branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch to merge into.",
            "type": "string"
          },
          "state_event": {
            "type": "string",
            "enum": [
              "close",
              "reopen"
            ]
          },
          "add_labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Labels to add, by name.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "remove_labels": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Labels to remove, by name.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 255,
              "pattern": "^[^,]+$",
              "type": "string"
            }
          },
          "description": {
            "maxLength": 200000,
            "description": "The text. GitLab Flavored Markdown.",
            "type": "string"
          },
          "assignee_ids": {
            "minItems": 1,
            "maxItems": 50,
            "description": "All assignees; [0] for none. IDs from list_members.",
            "type": "array",
            "items": {
              "minimum": 0,
              "type": "integer"
            }
          },
          "reviewer_ids": {
            "minItems": 1,
            "maxItems": 50,
            "description": "All reviewers; [0] for none. IDs from list_members.",
            "type": "array",
            "items": {
              "minimum": 0,
              "type": "integer"
            }
          },
          "milestone_id": {
            "minimum": 0,
            "maximum": 2147483647,
            "description": "A milestone by ID, from list_milestones. 0 for none.",
            "type": "integer"
          },
          "remove_source_branch": {
            "description": "Delete the source branch after the merge.",
            "type": "boolean"
          },
          "squash": {
            "description": "Merge as one commit.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update a merge request",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__merge_merge_request",
      "title": "Merge a merge request",
      "description": "Merge a merge request. Read it first, and give its sha so that no unseen commit is merged.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "merge_request",
          "sha"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "merge_request": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the merge request, from search_merge_requests or list_merge_requests.",
            "type": "integer"
          },
          "sha": {
            "minLength": 1,
            "maxLength": 64,
            "pattern": "^[0-9a-f]{40,64}$",
            "description": "The sha of get_merge_request. GitLab refuses to merge another one.",
            "type": "string"
          },
          "squash": {
            "description": "Merge as one commit.",
            "type": "boolean"
          },
          "remove_source_branch": {
            "description": "Delete the source branch.",
            "type": "boolean"
          },
          "merge_commit_message": {
            "minLength": 1,
            "maxLength": 10000,
            "description": "The message of the merge commit.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Merge a merge request",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_merge_request_comments",
      "title": "List the comments of a merge request",
      "description": "List the comments of a merge request, those on lines of code too. Notes with system are changes.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "merge_request"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "merge_request": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the merge request, from search_merge_requests or list_merge_requests.",
            "type": "integer"
          },
          "order_by": {
            "description": "Default: created_at.",
            "type": "string",
            "enum": [
              "created_at",
              "updated_at"
            ]
          },
          "sort": {
            "description": "Default: desc, the newest first.",
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
        "title": "List the comments of a merge request",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__create_merge_request_comment",
      "title": "Comment on a merge request",
      "description": "Add a comment to a merge request. Everyone who follows it is notified.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "merge_request",
          "body"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "merge_request": {
            "minimum": 1,
            "maximum": 2147483647,
            "description": "The number (iid) of the merge request, from search_merge_requests or list_merge_requests.",
            "type": "integer"
          },
          "body": {
            "minLength": 1,
            "maxLength": 200000,
            "description": "The comment. GitLab Flavored Markdown.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Comment on a merge request",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_file",
      "title": "Read a file",
      "description": "Read the text of a file. To list a directory use list_directory; to search use search_code.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "file_path"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "file_path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "The path from the root, without a leading slash: src/index.ts. From list_directory.",
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
      "name": "gitlab__list_directory",
      "title": "List a directory",
      "description": "List the entries of a directory: a blob is a file, a tree is a directory. Read a file with get_file.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "The directory, without a leading slash. Default: the root.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch, a tag or a commit. Default: the default branch.",
            "type": "string"
          },
          "recursive": {
            "description": "Include everything below. Default: false.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
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
        "title": "List a directory",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__create_file",
      "title": "Create a file",
      "description": "Add a file in one commit. For an existing file use update_file.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "file_path",
          "branch",
          "commit_message",
          "content"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "file_path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "The path from the root, without a leading slash: src/index.ts. From list_directory.",
            "type": "string"
          },
          "branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch to commit to.",
            "type": "string"
          },
          "commit_message": {
            "minLength": 1,
            "maxLength": 10000,
            "description": "The message of the commit.",
            "type": "string"
          },
          "content": {
            "minLength": 0,
            "maxLength": 1000000,
            "description": "The whole file, at most 25 MiB: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__update_file",
      "title": "Update a file",
      "description": "Replace a file in one commit. Read it first with get_file, and give the whole new text.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "file_path",
          "branch",
          "commit_message",
          "content"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "file_path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "The path from the root, without a leading slash: src/index.ts. From list_directory.",
            "type": "string"
          },
          "branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch to commit to.",
            "type": "string"
          },
          "commit_message": {
            "minLength": 1,
            "maxLength": 10000,
            "description": "The message of the commit.",
            "type": "string"
          },
          "content": {
            "minLength": 0,
            "maxLength": 1000000,
            "description": "The whole file, at most 25 MiB: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
            "type": "string"
          },
          "last_commit_id": {
            "minLength": 1,
            "maxLength": 64,
            "description": "The last known commit of the file: refuses if it has changed since.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update a file",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_branches",
      "title": "List branches",
      "description": "List or search the branches of a project, with their last commits.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "search": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A part of the name. ^ and $ mark its start and end.",
            "type": "string"
          },
          "sort": {
            "description": "Default: name_asc.",
            "type": "string",
            "enum": [
              "name_asc",
              "updated_asc",
              "updated_desc"
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
        "title": "List branches",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__create_branch",
      "title": "Create a branch",
      "description": "Make a branch from another branch or a commit.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "branch",
          "ref"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "branch": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The name of the new branch.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch or commit to start from.",
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
      "name": "gitlab__list_commits",
      "title": "List commits",
      "description": "List the commits of a branch or of a file, the newest first. Changes: list_commit_diffs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "ref_name": {
            "minLength": 1,
            "maxLength": 255,
            "description": "A branch or tag, or a range a..b. Default: the default branch.",
            "type": "string"
          },
          "path": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+(/[^/]+)*$",
            "description": "Only commits that change this file or directory.",
            "type": "string"
          },
          "author": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only commits by this name or email address.",
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
        "title": "List commits",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_commit",
      "title": "Get a commit",
      "description": "Read one commit: message, author, parents and the number of changed lines.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "commit"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "commit": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The sha of a commit, or a branch or tag.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a commit",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_commit_diffs",
      "title": "List the changes of a commit",
      "description": "List the changed files of a commit with their diffs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "commit"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "commit": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The sha of a commit, or a branch or tag.",
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
        "title": "List the changes of a commit",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_pipelines",
      "title": "List pipelines",
      "description": "List the pipelines of a project, the newest first. Returns IDs, statuses, branches and commits.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "Only of this branch or tag.",
            "type": "string"
          },
          "sha": {
            "minLength": 1,
            "maxLength": 64,
            "description": "Only of this commit.",
            "type": "string"
          },
          "status": {
            "type": "string",
            "enum": [
              "pending",
              "running",
              "success",
              "failed",
              "canceled",
              "skipped",
              "manual",
              "scheduled"
            ]
          },
          "updated_after": {
            "format": "date-time",
            "description": "Only pipelines updated since this time. For example 2026-03-31T09:00:00Z.",
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
        "title": "List pipelines",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_pipeline",
      "title": "Get a pipeline",
      "description": "Read one pipeline: status, commit, who started it, and how long it took. Jobs: list_pipeline_jobs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "pipeline_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "pipeline_id": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "description": "The ID of a pipeline, from list_pipelines.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a pipeline",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_pipeline_jobs",
      "title": "List the jobs of a pipeline",
      "description": "List the jobs of a pipeline with their statuses. Read what a job printed with get_job_log.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "pipeline_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "pipeline_id": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "description": "The ID of a pipeline, from list_pipelines.",
            "type": "integer"
          },
          "scope": {
            "description": "Only jobs with this status.",
            "type": "string",
            "enum": [
              "created",
              "pending",
              "running",
              "failed",
              "success",
              "canceled",
              "skipped",
              "manual"
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
        "title": "List the jobs of a pipeline",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__run_pipeline",
      "title": "Run a pipeline",
      "description": "Start a new pipeline for a branch or tag. Follow it with get_pipeline.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "ref"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "ref": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The branch or tag.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Run a pipeline",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__list_jobs",
      "title": "List jobs",
      "description": "List the jobs of all pipelines of a project, the newest first. For one pipeline use list_pipeline_jobs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "scope": {
            "description": "Only jobs with this status.",
            "type": "string",
            "enum": [
              "created",
              "pending",
              "running",
              "failed",
              "success",
              "canceled",
              "skipped",
              "manual"
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
        "title": "List jobs",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_job",
      "title": "Get a job",
      "description": "Read one job: status, reason of a failure, stage, times and pipeline. What it printed: get_job_log.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "job_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "job_id": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "description": "The ID of a job, from list_pipeline_jobs or list_jobs.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a job",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__get_job_log",
      "title": "Read the log of a job",
      "description": "Read what a job printed, from its start. Get the whole of a long log with download_job_log.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "job_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "job_id": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "description": "The ID of a job, from list_pipeline_jobs or list_jobs.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read the log of a job",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__download_job_log",
      "title": "Download the log of a job",
      "description": "Store the whole log of a job as a file. Returns a temporary link. To read a short one use get_job_log.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "job_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "job_id": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "description": "The ID of a job, from list_pipeline_jobs or list_jobs.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Download the log of a job",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__play_job",
      "title": "Start a manual job",
      "description": "Start a job with the status manual, such as a deployment.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "job_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "job_id": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "description": "The ID of a job, from list_pipeline_jobs or list_jobs.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Start a manual job",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gitlab__retry_job",
      "title": "Retry a job",
      "description": "Run a failed or finished job again. Returns the new job.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "job_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "[^./]$",
            "description": "The project: its path with all groups (octo/apps/web) or its ID, from search_projects or project_id of search_issues.",
            "type": "string"
          },
          "job_id": {
            "minimum": 1,
            "maximum": 9007199254740991,
            "description": "The ID of a job, from list_pipeline_jobs or list_jobs.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Retry a job",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > gmail 1`] = `
{
  "entry": {
    "id": "gmail",
    "category": "communication",
    "name": "Gmail",
    "description": "Search and read threads; send and answer emails; write drafts; label, archive and trash threads.",
    "url": "http://localhost/connectors/gmail",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "https://www.googleapis.com/auth/gmail.readonly"
      ],
      "scope_descriptions": {
        "https://www.googleapis.com/auth/gmail.readonly": "Read all your emails and labels."
      },
      "optional_scopes": [
        "https://www.googleapis.com/auth/gmail.compose",
        "https://www.googleapis.com/auth/gmail.modify"
      ],
      "optional_scope_descriptions": {
        "https://www.googleapis.com/auth/gmail.compose": "Write drafts and send emails in your name.",
        "https://www.googleapis.com/auth/gmail.modify": "Label, archive and trash your emails, and write new ones."
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
      "name": "gmail__search_threads",
      "title": "Search threads",
      "description": "Search the threads of the mailbox, the newest first. Returns thread IDs and the beginning of their last message; read one with get_thread.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 1000,
            "description": "As in Gmail: from:ada@example.com to:me subject:offsite is:unread has:attachment label:work in:inbox after:2026/03/31 before:2026/04/30 newer_than:7d \\"exact words\\" OR -without. Without it, all threads.",
            "type": "string"
          },
          "label_ids": {
            "minItems": 1,
            "maxItems": 20,
            "description": "Only threads with all of these labels: IDs of list_labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 100,
              "pattern": "^[A-Za-z0-9_-]+$",
              "type": "string"
            }
          },
          "include_spam_trash": {
            "description": "Include spam and trash.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 500,
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
        "title": "Search threads",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__get_thread",
      "title": "Read a thread",
      "description": "Read all messages of a thread, the oldest first: sender, recipients, date, subject, text, attachments, and the message_id and references that reply needs.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "thread_id"
        ],
        "properties": {
          "thread_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the thread, from search_threads or threadId of a message.",
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
      "name": "gmail__get_message",
      "title": "Read a message",
      "description": "Read one message. Long texts are cut later than in get_thread.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "message_id"
        ],
        "properties": {
          "message_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the message, from get_thread: id, not message_id.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a message",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__read_text_attachment",
      "title": "Read a text attachment",
      "description": "Read an attachment that is text: CSV, JSON, a calendar invitation.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "message_id",
          "attachment_id"
        ],
        "properties": {
          "message_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the message, from get_thread: id, not message_id.",
            "type": "string"
          },
          "attachment_id": {
            "minLength": 1,
            "maxLength": 2000,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "attachment_id in the attachments of get_message or get_thread.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a text attachment",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__send_email",
      "title": "Send an email",
      "description": "Send a new email at once. To answer one, use reply; to let the person look first, use create_draft.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "to",
          "body",
          "subject"
        ],
        "properties": {
          "to": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "cc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "bcc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of hidden copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "body": {
            "minLength": 1,
            "maxLength": 32000,
            "description": "The text: Markdown, or plain text with format text. Without the quoted message.",
            "type": "string"
          },
          "format": {
            "description": "markdown (default) sends formatted text too; text sends it as it is.",
            "type": "string",
            "enum": [
              "markdown",
              "text"
            ],
            "default": "markdown"
          },
          "subject": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "The subject.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Send an email",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__reply",
      "title": "Answer an email",
      "description": "Answer a message in its thread, at once. Read it with get_thread first: the recipients are its from (or reply_to) and, to answer all, its to and cc without yourself.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "to",
          "body",
          "subject",
          "in_reply_to",
          "thread_id"
        ],
        "properties": {
          "to": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "cc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "bcc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of hidden copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "body": {
            "minLength": 1,
            "maxLength": 32000,
            "description": "The text: Markdown, or plain text with format text. Without the quoted message.",
            "type": "string"
          },
          "format": {
            "description": "markdown (default) sends formatted text too; text sends it as it is.",
            "type": "string",
            "enum": [
              "markdown",
              "text"
            ],
            "default": "markdown"
          },
          "subject": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "The subject of the message, after Re:, for example: Re: Offsite. Gmail needs the same one in a thread.",
            "type": "string"
          },
          "in_reply_to": {
            "minLength": 1,
            "maxLength": 998,
            "pattern": "^<[!-;=?-~]+>$",
            "description": "message_id of the message to answer, from get_message or get_thread.",
            "type": "string"
          },
          "references": {
            "minLength": 1,
            "maxLength": 20000,
            "pattern": "^<[!-;=?-~]+>([ ,]*<[!-;=?-~]+>)*$",
            "description": "references of the message to answer, unchanged; leave it out if there are none.",
            "type": "string"
          },
          "thread_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the thread, from search_threads or threadId of a message.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Answer an email",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__list_drafts",
      "title": "List drafts",
      "description": "List or search drafts: their IDs. Read one with get_draft.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 1000,
            "description": "As in search_threads.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 500,
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
        "title": "List drafts",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__get_draft",
      "title": "Read a draft",
      "description": "Read a draft: recipients, subject and text.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "draft_id"
        ],
        "properties": {
          "draft_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the draft, from list_drafts or create_draft.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a draft",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__create_draft",
      "title": "Create a draft",
      "description": "Write a draft of a new email, which the person can change and send. Returns its ID for send_draft.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "to",
          "body",
          "subject"
        ],
        "properties": {
          "to": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "cc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "bcc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of hidden copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "body": {
            "minLength": 1,
            "maxLength": 32000,
            "description": "The text: Markdown, or plain text with format text. Without the quoted message.",
            "type": "string"
          },
          "format": {
            "description": "markdown (default) sends formatted text too; text sends it as it is.",
            "type": "string",
            "enum": [
              "markdown",
              "text"
            ],
            "default": "markdown"
          },
          "subject": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "The subject.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a draft",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__draft_reply",
      "title": "Create a draft of an answer",
      "description": "Write a draft of an answer in its thread, with the arguments of reply. Returns its ID for send_draft.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "to",
          "body",
          "subject",
          "in_reply_to",
          "thread_id"
        ],
        "properties": {
          "to": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "cc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "bcc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of hidden copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "body": {
            "minLength": 1,
            "maxLength": 32000,
            "description": "The text: Markdown, or plain text with format text. Without the quoted message.",
            "type": "string"
          },
          "format": {
            "description": "markdown (default) sends formatted text too; text sends it as it is.",
            "type": "string",
            "enum": [
              "markdown",
              "text"
            ],
            "default": "markdown"
          },
          "subject": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "The subject of the message, after Re:, for example: Re: Offsite. Gmail needs the same one in a thread.",
            "type": "string"
          },
          "in_reply_to": {
            "minLength": 1,
            "maxLength": 998,
            "pattern": "^<[!-;=?-~]+>$",
            "description": "message_id of the message to answer, from get_message or get_thread.",
            "type": "string"
          },
          "references": {
            "minLength": 1,
            "maxLength": 20000,
            "pattern": "^<[!-;=?-~]+>([ ,]*<[!-;=?-~]+>)*$",
            "description": "references of the message to answer, unchanged; leave it out if there are none.",
            "type": "string"
          },
          "thread_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the thread, from search_threads or threadId of a message.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a draft of an answer",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__update_draft",
      "title": "Replace a draft",
      "description": "Replace a draft of a new email as a whole: take what stays from get_draft. Replace the draft of an answer by deleting it and using draft_reply.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "draft_id",
          "to",
          "body",
          "subject"
        ],
        "properties": {
          "draft_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the draft, from list_drafts or create_draft.",
            "type": "string"
          },
          "to": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "cc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "bcc": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The recipients of hidden copies: ada@example.com or Ada Lovelace <ada@example.com>.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^([^<>\\\\r\\\\n]{1,200} <[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*>|[\\\\w.!#$%&'*+/=?^\`{|}~-]+@[A-Za-z0-9-]+(\\\\.[A-Za-z0-9-]+)*)$",
              "type": "string"
            }
          },
          "body": {
            "minLength": 1,
            "maxLength": 32000,
            "description": "The text: Markdown, or plain text with format text. Without the quoted message.",
            "type": "string"
          },
          "format": {
            "description": "markdown (default) sends formatted text too; text sends it as it is.",
            "type": "string",
            "enum": [
              "markdown",
              "text"
            ],
            "default": "markdown"
          },
          "subject": {
            "minLength": 1,
            "maxLength": 500,
            "pattern": "^[^\\\\r\\\\n]+$",
            "description": "The subject.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Replace a draft",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__send_draft",
      "title": "Send a draft",
      "description": "Send a draft to its recipients.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "draft_id"
        ],
        "properties": {
          "draft_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the draft, from list_drafts or create_draft.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Send a draft",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__delete_draft",
      "title": "Delete a draft",
      "description": "Delete a draft. It cannot be restored.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "draft_id"
        ],
        "properties": {
          "draft_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the draft, from list_drafts or create_draft.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Delete a draft",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__list_labels",
      "title": "List labels",
      "description": "List the labels of the mailbox with their IDs, those of Gmail too: INBOX, UNREAD, STARRED, SPAM, TRASH.",
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
        "title": "List labels",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__create_label",
      "title": "Create a label",
      "description": "Create a label. Returns its ID for label_thread. A slash makes it part of another one: Clients/Acme.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "name"
        ],
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 225,
            "description": "The name.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a label",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__label_thread",
      "title": "Label a thread",
      "description": "Add labels to all messages of a thread, or remove them. Removing UNREAD marks it as read; adding STARRED stars it; adding INBOX takes it out of the archive.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "thread_id"
        ],
        "properties": {
          "thread_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the thread, from search_threads or threadId of a message.",
            "type": "string"
          },
          "add": {
            "minItems": 1,
            "maxItems": 100,
            "description": "IDs of labels to add, from list_labels.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 100,
              "pattern": "^[A-Za-z0-9_-]+$",
              "type": "string"
            }
          },
          "remove": {
            "minItems": 1,
            "maxItems": 100,
            "description": "IDs of labels to remove.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 100,
              "pattern": "^[A-Za-z0-9_-]+$",
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
        "title": "Label a thread",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__archive_thread",
      "title": "Archive a thread",
      "description": "Take a thread out of the inbox. Search still finds it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "thread_id"
        ],
        "properties": {
          "thread_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the thread, from search_threads or threadId of a message.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Archive a thread",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__trash_thread",
      "title": "Move a thread to the trash",
      "description": "Move a thread to the trash. Gmail deletes it after 30 days; restore_thread undoes it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "thread_id"
        ],
        "properties": {
          "thread_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the thread, from search_threads or threadId of a message.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Move a thread to the trash",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "gmail__restore_thread",
      "title": "Restore a thread from the trash",
      "description": "Take a thread out of the trash. Find it with search_threads and in:trash.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "thread_id"
        ],
        "properties": {
          "thread_id": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the thread, from search_threads or threadId of a message.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Restore a thread from the trash",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > google-calendar 1`] = `
{
  "entry": {
    "id": "google-calendar",
    "category": "productivity",
    "name": "Google Calendar",
    "description": "Search, read, create, update, move and delete events; answer invitations; find free times; list calendars.",
    "url": "http://localhost/connectors/google-calendar",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "https://www.googleapis.com/auth/calendar.calendarlist.readonly",
        "https://www.googleapis.com/auth/calendar.events",
        "https://www.googleapis.com/auth/calendar.freebusy"
      ],
      "scope_descriptions": {
        "https://www.googleapis.com/auth/calendar.calendarlist.readonly": "See the list of your calendars.",
        "https://www.googleapis.com/auth/calendar.events": "See, create, change and delete events on your calendars.",
        "https://www.googleapis.com/auth/calendar.freebusy": "See when people are busy, without their events."
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
      "name": "google-calendar__list_events",
      "title": "List events",
      "description": "List or search the events of a calendar, in the order of their start; recurring events as their single instances. Give from and to for a day or a week. Returns IDs, times, guests and their answers.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "from": {
            "format": "date-time",
            "description": "Only events that end after this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "to": {
            "format": "date-time",
            "description": "Only events that start before this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "query": {
            "minLength": 1,
            "maxLength": 500,
            "description": "Words in the title, description, place or guests.",
            "type": "string"
          },
          "show_deleted": {
            "description": "Include deleted events, which have the status cancelled.",
            "type": "boolean"
          },
          "limit": {
            "minimum": 1,
            "maximum": 250,
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
        "title": "List events",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__get_event",
      "title": "Get an event",
      "description": "Read one event: title, times, place, description, guests and their answers, conference link.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "event_id"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "event_id": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+$",
            "description": "The ID of the event, from list_events, or of one occurrence, from list_instances.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get an event",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__list_instances",
      "title": "List the instances of an event",
      "description": "List the single instances of a recurring event. Pass their IDs to update_event to change one of them.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "event_id"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "event_id": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+$",
            "description": "The ID of the event, from list_events, or of one occurrence, from list_instances.",
            "type": "string"
          },
          "from": {
            "format": "date-time",
            "description": "Only instances that end after this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "to": {
            "format": "date-time",
            "description": "Only instances that start before this time. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 250,
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
        "title": "List the instances of an event",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__create_event",
      "title": "Create an event",
      "description": "Create an event and invite guests. Find a free time with find_busy_times first. The end of an all-day event is the day after its last one. Guests receive an email if notify is all.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "title",
          "start",
          "end"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "notify": {
            "description": "Who is notified by email: all guests, guests elsewhere, or none. Default: none.",
            "type": "string",
            "enum": [
              "all",
              "externalOnly",
              "none"
            ],
            "default": "none"
          },
          "title": {
            "minLength": 1,
            "maxLength": 1024,
            "description": "The title.",
            "type": "string"
          },
          "start": {
            "description": "The start. A time with its offset (2026-03-31T09:00:00+02:00), or a day (2026-03-31) for all-day events.",
            "anyOf": [
              {
                "format": "date-time",
                "type": "string"
              },
              {
                "format": "date",
                "type": "string"
              }
            ]
          },
          "time_zone": {
            "minLength": 1,
            "maxLength": 64,
            "pattern": "^[A-Za-z0-9_+/-]+$",
            "description": "The time zone of the event: Europe/Berlin. Required for recurring events.",
            "type": "string"
          },
          "end": {
            "description": "The end. A time with its offset (2026-03-31T09:00:00+02:00), or a day (2026-03-31) for all-day events.",
            "anyOf": [
              {
                "format": "date-time",
                "type": "string"
              },
              {
                "format": "date",
                "type": "string"
              }
            ]
          },
          "description": {
            "minLength": 1,
            "maxLength": 8192,
            "description": "The description.",
            "type": "string"
          },
          "location": {
            "minLength": 1,
            "maxLength": 1024,
            "description": "The place.",
            "type": "string"
          },
          "attendees": {
            "maxItems": 200,
            "description": "The email addresses of the guests.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^[^@\\\\s]+@[^@\\\\s]+$",
              "type": "string"
            }
          },
          "recurrence": {
            "minItems": 1,
            "maxItems": 20,
            "description": "Lines of RFC 5545: RRULE:FREQ=WEEKLY;BYDAY=TU. Repeats the event.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 1000,
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
        "title": "Create an event",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__quick_add_event",
      "title": "Create an event from a sentence",
      "description": "Create an event from a sentence with its time: Lunch with Ada tomorrow 12:30.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "text"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "text": {
            "minLength": 1,
            "maxLength": 1024,
            "description": "The sentence.",
            "type": "string"
          },
          "notify": {
            "description": "Who is notified by email: all guests, guests elsewhere, or none. Default: none.",
            "type": "string",
            "enum": [
              "all",
              "externalOnly",
              "none"
            ],
            "default": "none"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create an event from a sentence",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__update_event",
      "title": "Update an event",
      "description": "Update an event. Omitted fields stay unchanged; attendees replaces all guests, so give the full list from get_event. The ID of an instance changes only that one, the ID of a recurring event all of them.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "event_id"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "event_id": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+$",
            "description": "The ID of the event, from list_events, or of one occurrence, from list_instances.",
            "type": "string"
          },
          "notify": {
            "description": "Who is notified by email: all guests, guests elsewhere, or none. Default: none.",
            "type": "string",
            "enum": [
              "all",
              "externalOnly",
              "none"
            ],
            "default": "none"
          },
          "title": {
            "minLength": 1,
            "maxLength": 1024,
            "description": "The title.",
            "type": "string"
          },
          "start": {
            "description": "The new start. Give end too. A time with its offset (2026-03-31T09:00:00+02:00), or a day (2026-03-31) for all-day events.",
            "anyOf": [
              {
                "format": "date-time",
                "type": "string"
              },
              {
                "format": "date",
                "type": "string"
              }
            ]
          },
          "time_zone": {
            "minLength": 1,
            "maxLength": 64,
            "pattern": "^[A-Za-z0-9_+/-]+$",
            "description": "The time zone of the event: Europe/Berlin. Required for recurring events.",
            "type": "string"
          },
          "end": {
            "description": "The new end. A time with its offset (2026-03-31T09:00:00+02:00), or a day (2026-03-31) for all-day events.",
            "anyOf": [
              {
                "format": "date-time",
                "type": "string"
              },
              {
                "format": "date",
                "type": "string"
              }
            ]
          },
          "description": {
            "description": "The description. null removes it.",
            "anyOf": [
              {
                "minLength": 1,
                "maxLength": 8192,
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "location": {
            "description": "The place. null removes it.",
            "anyOf": [
              {
                "minLength": 1,
                "maxLength": 1024,
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "attendees": {
            "maxItems": 200,
            "description": "The email addresses of all guests.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
              "pattern": "^[^@\\\\s]+@[^@\\\\s]+$",
              "type": "string"
            }
          },
          "recurrence": {
            "minItems": 1,
            "maxItems": 20,
            "description": "Lines of RFC 5545: RRULE:FREQ=WEEKLY;BYDAY=TU. Repeats the event.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 1000,
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
        "title": "Update an event",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__move_event",
      "title": "Move an event to another calendar",
      "description": "Move an event to another of your calendars, which then organizes it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "event_id",
          "destination"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "event_id": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+$",
            "description": "The ID of the event, from list_events, or of one occurrence, from list_instances.",
            "type": "string"
          },
          "destination": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the other calendar, from list_calendars.",
            "type": "string"
          },
          "notify": {
            "description": "Who is notified by email: all guests, guests elsewhere, or none. Default: none.",
            "type": "string",
            "enum": [
              "all",
              "externalOnly",
              "none"
            ],
            "default": "none"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Move an event to another calendar",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__answer_invitation",
      "title": "Answer an invitation",
      "description": "Accept, decline or tentatively accept an event that you were invited to. Give the email address under which you were invited: the guest with self in get_event.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "event_id",
          "email",
          "answer"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "event_id": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+$",
            "description": "The ID of the event, from list_events, or of one occurrence, from list_instances.",
            "type": "string"
          },
          "notify": {
            "description": "Who is notified by email: all guests, guests elsewhere, or none. Default: none.",
            "type": "string",
            "enum": [
              "all",
              "externalOnly",
              "none"
            ],
            "default": "none"
          },
          "email": {
            "minLength": 1,
            "maxLength": 320,
            "pattern": "^[^@\\\\s]+@[^@\\\\s]+$",
            "description": "Your email address in the attendees of list_events or get_event.",
            "type": "string"
          },
          "answer": {
            "type": "string",
            "enum": [
              "accepted",
              "declined",
              "tentative"
            ]
          },
          "comment": {
            "minLength": 1,
            "maxLength": 1000,
            "description": "A message to the organizer.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Answer an invitation",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__delete_event",
      "title": "Delete an event",
      "description": "Delete an event, or with the ID of a recurring event all of its instances. Guests are told if notify is all.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "event_id"
        ],
        "properties": {
          "calendar_id": {
            "minLength": 1,
            "maxLength": 320,
            "description": "The ID of the calendar, from list_calendars. Default: primary, your own calendar.",
            "type": "string",
            "default": "primary"
          },
          "event_id": {
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[^/]+$",
            "description": "The ID of the event, from list_events, or of one occurrence, from list_instances.",
            "type": "string"
          },
          "notify": {
            "description": "Who is notified by email: all guests, guests elsewhere, or none. Default: none.",
            "type": "string",
            "enum": [
              "all",
              "externalOnly",
              "none"
            ],
            "default": "none"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Delete an event",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__list_calendars",
      "title": "List calendars",
      "description": "List your calendars: ID, name, time zone, and whether you may write to it (accessRole).",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "limit": {
            "minimum": 1,
            "maximum": 250,
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
        "title": "List calendars",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-calendar__find_busy_times",
      "title": "Find busy times",
      "description": "List when calendars are busy between two times; everything else is free. Use it to find a time for a meeting. A person is named by their email address.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "from",
          "to",
          "calendars"
        ],
        "properties": {
          "from": {
            "format": "date-time",
            "description": "The start. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "to": {
            "format": "date-time",
            "description": "The end, at most about two months later. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "calendars": {
            "minItems": 1,
            "maxItems": 50,
            "description": "Email addresses, or calendar IDs of list_calendars. Yours: primary.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 320,
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
        "title": "Find busy times",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
`

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > google-drive 1`] = `
{
  "entry": {
    "id": "google-drive",
    "category": "knowledge",
    "name": "Google Drive",
    "description": "Search and list files; read documents as Markdown; download, export, create, upload, move, copy and trash files; share them; comment.",
    "url": "http://localhost/connectors/google-drive",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "https://www.googleapis.com/auth/drive.readonly"
      ],
      "scope_descriptions": {
        "https://www.googleapis.com/auth/drive.readonly": "See and download all your files, their comments and with whom they are shared."
      },
      "optional_scopes": [
        "https://www.googleapis.com/auth/drive"
      ],
      "optional_scope_descriptions": {
        "https://www.googleapis.com/auth/drive": "Create, change, share, comment and delete all your files."
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
      "name": "google-drive__search_files",
      "title": "Search files",
      "description": "Search files and folders in all of Drive with its query language. Returns IDs, names, types (mimeType), folders (parents) and links. To see what a folder contains, use list_folder.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "query"
        ],
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 2000,
            "description": "Terms with and, or, not: fullText contains 'offsite budget'; name contains 'plan'; mimeType = 'application/vnd.google-apps.folder' (document, spreadsheet, presentation); modifiedTime > '2026-03-31T00:00:00'; 'ada@example.com' in owners; sharedWithMe; starred; trashed = false. Write \\\\' for a quote.",
            "type": "string"
          },
          "where": {
            "description": "user: files that you opened or own (default); allDrives: shared drives too.",
            "type": "string",
            "enum": [
              "user",
              "domain",
              "allDrives"
            ]
          },
          "order_by": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[A-Za-z_]+( desc)?(,[A-Za-z_]+( desc)?)*$",
            "description": "modifiedTime desc; name; folder,name. Leave it out with fullText, which sorts by relevance.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 1000,
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
        "title": "Search files",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__list_folder",
      "title": "List a folder",
      "description": "List the files and folders in a folder, folders first: IDs, names, types (mimeType), sizes and links.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "folder_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the folder, from search_files or list_folder; or of a shared drive, from list_shared_drives. Default: root, your own Drive.",
            "type": "string",
            "default": "root"
          },
          "limit": {
            "minimum": 1,
            "maximum": 1000,
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
        "title": "List a folder",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__get_file",
      "title": "Get a file",
      "description": "Read what Drive knows about a file or folder: name, type, folder (parents), owners, size, times and link.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a file",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__create_folder",
      "title": "Create a folder",
      "description": "Create a folder. Returns its ID.",
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
            "description": "The name. A folder may contain several files of the same name.",
            "type": "string"
          },
          "folder_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the folder, from search_files, list_folder or create_folder. Default: the root folder.",
            "type": "string"
          },
          "description": {
            "maxLength": 5000,
            "description": "The description of the file; empty removes it.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a folder",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__create_file",
      "title": "Create a file",
      "description": "Create an empty file or Google document. Fill a file with upload_content afterwards. Returns its ID.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "name",
          "type"
        ],
        "properties": {
          "name": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The name. A folder may contain several files of the same name.",
            "type": "string"
          },
          "type": {
            "minLength": 1,
            "maxLength": 150,
            "pattern": "^[a-z]+/[A-Za-z0-9.+-]+$",
            "description": "The media type: text/csv, application/pdf; application/vnd.google-apps.document, .spreadsheet or .presentation for Google documents.",
            "type": "string"
          },
          "folder_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the folder, from search_files, list_folder or create_folder. Default: the root folder.",
            "type": "string"
          },
          "description": {
            "maxLength": 5000,
            "description": "The description of the file; empty removes it.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__update_file",
      "title": "Update a file",
      "description": "Rename a file or folder, describe it, or star it. Omitted fields stay unchanged.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The name. A folder may contain several files of the same name.",
            "type": "string"
          },
          "description": {
            "maxLength": 5000,
            "description": "The description of the file; empty removes it.",
            "type": "string"
          },
          "starred": {
            "description": "Whether the file is starred.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update a file",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__move_file",
      "title": "Move a file",
      "description": "Move a file or folder to another folder.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "to_folder_id",
          "from_folder_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "to_folder_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the new folder, from search_files or list_folder.",
            "type": "string"
          },
          "from_folder_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of its folder until now: parents of get_file.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Move a file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__copy_file",
      "title": "Copy a file",
      "description": "Copy a file, for example a template. Folders cannot be copied. Returns the ID of the copy.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 255,
            "description": "The name. A folder may contain several files of the same name.",
            "type": "string"
          },
          "folder_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the folder, from search_files, list_folder or create_folder. Default: the root folder.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Copy a file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__trash_file",
      "title": "Move a file to the trash",
      "description": "Move a file, or a folder with everything in it, to the trash. Drive deletes it after 30 days; restore_file undoes it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Move a file to the trash",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__restore_file",
      "title": "Restore a file from the trash",
      "description": "Take a file or folder out of the trash. Find it with search_files and trashed = true.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Restore a file from the trash",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__list_shared_drives",
      "title": "List shared drives",
      "description": "List the shared drives of your organization that you can open. Pass an ID to list_folder.",
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
        "title": "List shared drives",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__read_document",
      "title": "Read a Google document",
      "description": "Read the text of a Google document, spreadsheet (its first sheet) or presentation. For other files, use read_text_file or download_file.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "format"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "format": {
            "description": "text/markdown for documents, text/csv for spreadsheets, text/plain for presentations.",
            "type": "string",
            "enum": [
              "text/markdown",
              "text/csv",
              "text/plain"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a Google document",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__read_text_file",
      "title": "Read a text file",
      "description": "Read an uploaded file that is text: Markdown, CSV, JSON, source code. For Google documents, use read_document.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a text file",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__download_file",
      "title": "Download a file",
      "description": "Download an uploaded file: a PDF, an image, an archive. Returns a temporary link and an artifact ID. For Google documents, use export_file.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "file_name"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "The name of the download, with its ending: report.pdf. Use the name of get_file.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Download a file",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__export_file",
      "title": "Export a Google document",
      "description": "Export a Google document, spreadsheet or presentation as a PDF or Office file of at most 10 MB. Returns a temporary link and an artifact ID.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "file_name",
          "format"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "The name of the download, with its ending: report.pdf. Use the name of get_file.",
            "type": "string"
          },
          "format": {
            "description": "PDF for all; Word and EPUB for documents, Excel for spreadsheets, PowerPoint for presentations; zip is HTML with images.",
            "type": "string",
            "enum": [
              "application/pdf",
              "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
              "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
              "application/vnd.openxmlformats-officedocument.presentationml.presentation",
              "application/epub+zip",
              "application/zip"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Export a Google document",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__upload_content",
      "title": "Upload the content of a file",
      "description": "Replace the content of a file, for files of at most 5 MB. For a new file, call create_file first. Drive keeps the content until now as a version for 30 days.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "content"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "content": {
            "minLength": 1,
            "maxLength": 1000000,
            "description": "The new content: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Upload the content of a file",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__list_permissions",
      "title": "List who has access",
      "description": "List with whom a file or folder is shared: permission IDs, people, groups and their roles.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
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
        "title": "List who has access",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__share_file",
      "title": "Share a file",
      "description": "Share a file or folder with a person or a group. They receive an email unless notify is false.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "role",
          "email"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "notify": {
            "description": "Whether they receive an email. Default: true.",
            "type": "boolean"
          },
          "message": {
            "minLength": 1,
            "maxLength": 2000,
            "description": "A message in this email.",
            "type": "string"
          },
          "type": {
            "description": "Default: user.",
            "type": "string",
            "enum": [
              "user",
              "group"
            ],
            "default": "user"
          },
          "role": {
            "description": "Whether they may read, also comment, or also change the file.",
            "type": "string",
            "enum": [
              "reader",
              "commenter",
              "writer"
            ]
          },
          "email": {
            "minLength": 1,
            "maxLength": 320,
            "pattern": "^[^@\\\\s]+@[^@\\\\s]+$",
            "description": "The email address of the person or group.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Share a file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__share_by_link",
      "title": "Share a file by its link",
      "description": "Let everyone who has the link open a file or folder, without signing in. The link is webViewLink of get_file.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "role"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "role": {
            "description": "Whether they may read, also comment, or also change the file.",
            "type": "string",
            "enum": [
              "reader",
              "commenter",
              "writer"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Share a file by its link",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__update_permission",
      "title": "Change what someone may do",
      "description": "Change the role of a person, a group or everyone with the link.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "permission_id",
          "role"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "permission_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the permission, from list_permissions.",
            "type": "string"
          },
          "role": {
            "description": "Whether they may read, also comment, or also change the file.",
            "type": "string",
            "enum": [
              "reader",
              "commenter",
              "writer"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Change what someone may do",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__remove_permission",
      "title": "Stop sharing a file",
      "description": "Take the access to a file or folder from a person, a group or everyone with the link.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "permission_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "permission_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the permission, from list_permissions.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Stop sharing a file",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__list_comments",
      "title": "List comments",
      "description": "List the comments on a file with their replies, the text they are about, and whether they are resolved.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "include_deleted": {
            "description": "Include deleted comments, which have no text.",
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
        "title": "List comments",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__add_comment",
      "title": "Add a comment",
      "description": "Comment on a file as a whole. Returns the ID of the comment.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "content"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "content": {
            "minLength": 1,
            "maxLength": 4000,
            "description": "The text of the comment, without formatting.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Add a comment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__reply_to_comment",
      "title": "Reply to a comment",
      "description": "Reply to a comment, resolve it or reopen it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "comment_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "comment_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the comment, from list_comments.",
            "type": "string"
          },
          "content": {
            "minLength": 1,
            "maxLength": 4000,
            "description": "The text of the comment, without formatting.",
            "type": "string"
          },
          "action": {
            "description": "Resolve or reopen the comment.",
            "type": "string",
            "enum": [
              "resolve",
              "reopen"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Reply to a comment",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "google-drive__delete_comment",
      "title": "Delete a comment",
      "description": "Delete one of your comments with its replies.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file_id",
          "comment_id"
        ],
        "properties": {
          "file_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the file, from search_files or list_folder.",
            "type": "string"
          },
          "comment_id": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[A-Za-z0-9_-]+$",
            "description": "The ID of the comment, from list_comments.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Delete a comment",
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
    "description": "Search issues with JQL; read, create, update, assign, link and move them; comment; log work; upload and download attachments; list projects and people.",
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
      "description": "Read one issue: description (Markdown), status, people, dates, links, sub-tasks and attachments (pass their IDs to download_attachment). For its comments use list_comments; for its custom fields, list_edit_fields.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
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
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
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
      "name": "jira__list_edit_fields",
      "title": "List the fields of an issue",
      "description": "List the fields of an issue that update_issue can set, custom ones included: ID (such as customfield_10016), name, type and allowed values. For the fields of a new issue use list_create_fields.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List the fields of an issue",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__create_issue",
      "title": "Create an issue",
      "description": "Create an issue in a project. list_issue_types returns the types of a project, list_create_fields the fields that it requires. Returns its key. Search for an existing issue first.",
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
            "minLength": 1,
            "maxLength": 31,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}|[0-9]{1,18})$",
            "description": "The key of the project (ENG for ENG-123) or its ID, from list_projects.",
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
            "description": "The description. Markdown.",
            "type": "string"
          },
          "assignee_id": {
            "minLength": 1,
            "maxLength": 128,
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
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The parent: an epic, or the issue of a sub-task. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "due_date": {
            "format": "date",
            "description": "The due date. For example 2026-03-31.",
            "type": "string"
          },
          "other_fields": {
            "additionalProperties": true,
            "maxProperties": 50,
            "description": "Custom and other fields by ID, from list_create_fields, in the form of their types: {\\"customfield_10016\\": 5}.",
            "type": "object",
            "properties": {}
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
      "description": "Update fields of an issue. Omitted fields stay unchanged. labels replaces all labels, description the whole text. To change the status use transition_issue; the assignee, assign_issue.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
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
            "description": "The full new description. Markdown. null removes it.",
            "anyOf": [
              {
                "minLength": 1,
                "maxLength": 32767,
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "priority": {
            "description": "The name: Highest, High, Medium, Low, Lowest. null removes it.",
            "anyOf": [
              {
                "minLength": 1,
                "maxLength": 60,
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
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
            "description": "The parent issue. Its key (ENG-123) or ID, from search_issues. null removes it.",
            "anyOf": [
              {
                "minLength": 1,
                "maxLength": 42,
                "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "due_date": {
            "description": "The due date. For example 2026-03-31. null removes it.",
            "anyOf": [
              {
                "format": "date",
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "other_fields": {
            "additionalProperties": true,
            "maxProperties": 50,
            "description": "Custom and other fields by ID, from list_edit_fields, in the form of their types: {\\"customfield_10016\\": 5}.",
            "type": "object",
            "properties": {}
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
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "account_id": {
            "anyOf": [
              {
                "minLength": 1,
                "maxLength": 128,
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
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "transition_id": {
            "minLength": 1,
            "maxLength": 18,
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
      "description": "Link two issues. With type Blocks, inward_issue blocks outward_issue. list_link_types returns the types.",
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
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue that blocks, duplicates or relates. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "outward_issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The other issue. Its key (ENG-123) or ID, from search_issues.",
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
      "name": "jira__unlink_issues",
      "title": "Remove a link",
      "description": "Remove a link between two issues.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "link_id"
        ],
        "properties": {
          "link_id": {
            "minLength": 1,
            "maxLength": 18,
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the link, from issuelinks of get_issue.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Remove a link",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__list_comments",
      "title": "List comments",
      "description": "List the comments of an issue: ID, author, text (Markdown) and dates.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
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
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 100,
            "default": 25,
            "description": "Maximum results per page. Default: 25.",
            "type": "integer"
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
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The comment. Markdown.",
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
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "comment_id": {
            "minLength": 1,
            "maxLength": 18,
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the comment, from list_comments.",
            "type": "string"
          },
          "body": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "The full new comment. Markdown.",
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
      "name": "jira__delete_comment",
      "title": "Delete a comment",
      "description": "Delete a comment. It cannot be restored.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "comment_id"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "comment_id": {
            "minLength": 1,
            "maxLength": 18,
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the comment, from list_comments.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Delete a comment",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__list_worklogs",
      "title": "List work logs",
      "description": "List the time that people logged on an issue: ID, author, start, time spent and comment (Markdown).",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 1000,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List work logs",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__add_worklog",
      "title": "Log work",
      "description": "Log time that you spent on an issue. It reduces the remaining estimate.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "time_spent_seconds"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "time_spent_seconds": {
            "minimum": 60,
            "maximum": 31536000,
            "description": "The time spent, in seconds: 3600 for an hour.",
            "type": "integer"
          },
          "started": {
            "format": "date-time",
            "description": "The start of the work. Default: now. For example 2026-03-31T09:00:00Z.",
            "type": "string"
          },
          "comment": {
            "minLength": 1,
            "maxLength": 32767,
            "description": "What was done. Markdown.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Log work",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
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
            "minLength": 1,
            "maxLength": 18,
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
      "description": "Attach a new file to an issue, from an artifact or from text. Returns its ID, name and size.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "issue",
          "content"
        ],
        "properties": {
          "issue": {
            "minLength": 1,
            "maxLength": 42,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}-[0-9]{1,9}|[0-9]{1,18})$",
            "description": "The issue. Its key (ENG-123) or ID, from search_issues.",
            "type": "string"
          },
          "content": {
            "minLength": 1,
            "maxLength": 1000000,
            "description": "The file: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "The name of the file: report.csv. Default: the name of the artifact; file.txt for a text.",
            "type": "string"
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
            "minLength": 1,
            "maxLength": 18,
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
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
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
            "minLength": 1,
            "maxLength": 31,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}|[0-9]{1,18})$",
            "description": "The key of the project (ENG for ENG-123) or its ID, from list_projects.",
            "type": "string"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
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
      "name": "jira__list_create_fields",
      "title": "List the fields of a new issue",
      "description": "List the fields of a new issue of one type, custom ones included: ID, name, type, whether it is required, and allowed values. Pass those without an own argument to create_issue as other_fields.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "project",
          "type_id"
        ],
        "properties": {
          "project": {
            "minLength": 1,
            "maxLength": 31,
            "pattern": "^([A-Za-z][A-Za-z0-9_]{1,30}|[0-9]{1,18})$",
            "description": "The key of the project (ENG for ENG-123) or its ID, from list_projects.",
            "type": "string"
          },
          "type_id": {
            "minLength": 1,
            "maxLength": 18,
            "pattern": "^[0-9]{1,18}$",
            "description": "The ID of the issue type, from list_issue_types.",
            "type": "string"
          },
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "List the fields of a new issue",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "jira__list_link_types",
      "title": "List link types",
      "description": "List the types of links between issues for link_issues: name, and the words for both directions.",
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
        "title": "List link types",
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
          "cursor": {
            "minLength": 1,
            "maxLength": 4096,
            "description": "next_cursor of the previous result, unchanged. Omit it for the first page.",
            "type": "string"
          },
          "limit": {
            "minimum": 1,
            "maximum": 50,
            "default": 50,
            "description": "Maximum results per page. Default: 50.",
            "type": "integer"
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
      "description": "Read the connected user: account ID (for assign_issue), name and time zone.",
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
            "description": "The issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The parent issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The parent issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The issue that blocks, or is the duplicate. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
            "type": "string"
          },
          "related_issue": {
            "pattern": "^([A-Z0-9]{1,10}-[0-9]{1,9}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$",
            "description": "The other issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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
            "description": "The issue. Its identifier (ENG-123) or ID, from search_issues or list_issues.",
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

exports[`test/tools/connectors.test.ts > TAP > every connector and each of its tools equal their reviewed snapshots > notion 1`] = `
{
  "entry": {
    "id": "notion",
    "category": "knowledge",
    "name": "Notion",
    "description": "Search pages and databases; read, write and edit pages as Markdown; query rows; create pages and update their properties; comment.",
    "url": "http://localhost/connectors/notion",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [],
      "access_summary": "The pages and databases that you choose in Notion, with everything below them.",
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
      "name": "notion__search",
      "title": "Search pages and data sources",
      "description": "Search the titles of pages and data sources that are shared with the connection; without query, list them all. Returns IDs. Read a page with read_page; query a data source with query_data_source.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
          "query": {
            "minLength": 1,
            "maxLength": 500,
            "description": "Words in the title.",
            "type": "string"
          },
          "type": {
            "description": "Only these.",
            "type": "string",
            "enum": [
              "page",
              "data_source"
            ]
          },
          "edited": {
            "description": "Sort by the time of the last edit.",
            "type": "string",
            "enum": [
              "ascending",
              "descending"
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
        "title": "Search pages and data sources",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__get_page",
      "title": "Get the properties of a page",
      "description": "Read the properties of a page or row: title, status, dates, people. Its text: read_page.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "page_id"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get the properties of a page",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__read_page",
      "title": "Read a page as Markdown",
      "description": "Read the text of a page as Markdown. If parts are left out, their IDs are in unknown_block_ids: pass each as page_id to read it. Properties: get_page.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "page_id"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL. Or an ID of unknown_block_ids.",
            "type": "string"
          },
          "include_transcript": {
            "description": "Include transcripts of meetings. Default: false.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Read a page as Markdown",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__create_page",
      "title": "Create a page",
      "description": "Create a page below another page, or a row in a data source. Give either parent_page_id or data_source_id. For a row, learn the properties with get_data_source first. Returns ID and URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "title"
        ],
        "properties": {
          "parent_page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The page above, from search.",
            "type": "string"
          },
          "data_source_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The data source of the row, from search or get_database.",
            "type": "string"
          },
          "properties": {
            "additionalProperties": true,
            "maxProperties": 100,
            "description": "Values by property name, in the form of their type from get_data_source: {\\"Status\\": {\\"status\\": {\\"name\\": \\"Done\\"}}, \\"Due\\": {\\"date\\": {\\"start\\": \\"2026-03-31\\"}}, \\"Tags\\": {\\"multi_select\\": [{\\"name\\": \\"a\\"}]}, \\"Points\\": {\\"number\\": 3}, \\"Notes\\": {\\"rich_text\\": [{\\"text\\": {\\"content\\": \\"…\\"}}]}, \\"Owner\\": {\\"people\\": [{\\"id\\": \\"…\\"}]}}. null clears date, select and number.",
            "type": "object",
            "properties": {}
          },
          "title": {
            "minLength": 1,
            "maxLength": 2000,
            "description": "The title.",
            "type": "string"
          },
          "markdown": {
            "minLength": 1,
            "maxLength": 200000,
            "description": "The text in Markdown, without the title.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create a page",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__update_page",
      "title": "Update the properties of a page",
      "description": "Update the title or properties of a page or row, or move it to the trash. Omitted properties stay unchanged. For the text use append_text, edit_text or replace_text.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "page_id"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.",
            "type": "string"
          },
          "properties": {
            "additionalProperties": true,
            "maxProperties": 100,
            "description": "Values by property name, in the form of their type from get_data_source: {\\"Status\\": {\\"status\\": {\\"name\\": \\"Done\\"}}, \\"Due\\": {\\"date\\": {\\"start\\": \\"2026-03-31\\"}}, \\"Tags\\": {\\"multi_select\\": [{\\"name\\": \\"a\\"}]}, \\"Points\\": {\\"number\\": 3}, \\"Notes\\": {\\"rich_text\\": [{\\"text\\": {\\"content\\": \\"…\\"}}]}, \\"Owner\\": {\\"people\\": [{\\"id\\": \\"…\\"}]}}. null clears date, select and number.",
            "type": "object",
            "properties": {}
          },
          "title": {
            "minLength": 1,
            "maxLength": 2000,
            "description": "The new title.",
            "type": "string"
          },
          "in_trash": {
            "description": "true moves the page to the trash, false restores it.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Update the properties of a page",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__append_text",
      "title": "Append text to a page",
      "description": "Add Markdown at the end or the start of a page.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "page_id",
          "markdown"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.",
            "type": "string"
          },
          "markdown": {
            "minLength": 1,
            "maxLength": 200000,
            "description": "The text to add, in Markdown.",
            "type": "string"
          },
          "position": {
            "description": "Default: end.",
            "type": "string",
            "enum": [
              "end",
              "start"
            ],
            "default": "end"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Append text to a page",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__edit_text",
      "title": "Edit the text of a page",
      "description": "Replace a part of the text of a page. Read it first with read_page, and give the part exactly.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "page_id",
          "old_text",
          "new_text"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.",
            "type": "string"
          },
          "old_text": {
            "minLength": 1,
            "maxLength": 200000,
            "description": "The part as read_page returns it; it must occur once.",
            "type": "string"
          },
          "new_text": {
            "maxLength": 200000,
            "description": "The new Markdown; empty removes the part.",
            "type": "string"
          },
          "all": {
            "description": "Replace each occurrence. Default: false.",
            "type": "boolean"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Edit the text of a page",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__replace_text",
      "title": "Replace the text of a page",
      "description": "Replace the whole text of a page. Notion refuses if that would delete pages or databases in it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "page_id",
          "markdown"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.",
            "type": "string"
          },
          "markdown": {
            "minLength": 1,
            "maxLength": 200000,
            "description": "The new text.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Replace the text of a page",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__get_database",
      "title": "Get a database",
      "description": "Read a database: title and the IDs of its data sources, which hold the rows.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "database_id"
        ],
        "properties": {
          "database_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a database: the parent of a row or data source (search, get_page), or from its URL.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a database",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__get_data_source",
      "title": "Get a data source",
      "description": "Read the properties of a data source: names, types and options. query_data_source returns its rows.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "data_source_id"
        ],
        "properties": {
          "data_source_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a data source, from search (type data_source) or get_database.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Get a data source",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__query_data_source",
      "title": "Query the rows of a data source",
      "description": "List the rows of a data source with their properties, filtered and sorted. Property names: get_data_source. Read the text of a row with read_page.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "data_source_id"
        ],
        "properties": {
          "data_source_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a data source, from search (type data_source) or get_database.",
            "type": "string"
          },
          "filter": {
            "additionalProperties": true,
            "maxProperties": 10,
            "description": "A condition in the form of the property type: {\\"property\\": \\"Status\\", \\"status\\": {\\"equals\\": \\"Done\\"}}, {\\"property\\": \\"Due\\", \\"date\\": {\\"before\\": \\"2026-03-31\\"}}, {\\"property\\": \\"Name\\", \\"title\\": {\\"contains\\": \\"a\\"}}. Combine with {\\"and\\": […]} or {\\"or\\": […]}.",
            "type": "object",
            "properties": {}
          },
          "sorts": {
            "minItems": 1,
            "maxItems": 10,
            "description": "The order; the first one counts most.",
            "type": "array",
            "items": {
              "additionalProperties": false,
              "type": "object",
              "required": [
                "direction"
              ],
              "properties": {
                "property": {
                  "minLength": 1,
                  "maxLength": 500,
                  "description": "A property by name. Give either property or timestamp.",
                  "type": "string"
                },
                "timestamp": {
                  "type": "string",
                  "enum": [
                    "created_time",
                    "last_edited_time"
                  ]
                },
                "direction": {
                  "type": "string",
                  "enum": [
                    "ascending",
                    "descending"
                  ]
                }
              }
            }
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
        "title": "Query the rows of a data source",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__list_comments",
      "title": "List comments",
      "description": "List the open comments of a page. Returns text, author ID and discussion ID. Names: list_users.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "page_id"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.",
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
      "name": "notion__create_comment",
      "title": "Comment on a page",
      "description": "Add a comment to a page, or answer a discussion. Give either page_id or discussion_id.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "markdown"
        ],
        "properties": {
          "page_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The ID of a page: from search or query_data_source, or the 32 digits at the end of its URL.",
            "type": "string"
          },
          "discussion_id": {
            "minLength": 1,
            "maxLength": 36,
            "pattern": "^[0-9a-fA-F-]{32,36}$",
            "description": "The discussion to answer, from list_comments.",
            "type": "string"
          },
          "markdown": {
            "minLength": 1,
            "maxLength": 20000,
            "description": "The comment: Markdown with bold, italic, code and links.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Comment on a page",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "notion__list_users",
      "title": "List users",
      "description": "List the members of the workspace. Returns IDs, which people properties take, names and email addresses.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "properties": {
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
        "title": "List users",
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
            "description": "Files, at most 25 MiB together. Each has content or path.",
            "type": "array",
            "items": {
              "additionalProperties": false,
              "type": "object",
              "required": [
                "filename"
              ],
              "properties": {
                "filename": {
                  "minLength": 1,
                  "maxLength": 255,
                  "type": "string"
                },
                "content": {
                  "minLength": 1,
                  "maxLength": 1000000,
                  "description": "The file: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
                  "type": "string"
                },
                "path": {
                  "pattern": "^https://[^\\\\s]+$",
                  "description": "A public URL that Resend fetches the file from, in place of content.",
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
    "description": "Search and read messages, threads, channels, people and files; post, schedule, update and react to messages; share files.",
    "url": "http://localhost/connectors/slack",
    "mcp_url": "http://localhost/mcp",
    "icon_url": "http://localhost/icons/hash.svg",
    "status": "disconnected",
    "accounts": [],
    "auth": {
      "type": "oauth2",
      "scopes": [
        "channels:read",
        "channels:history",
        "chat:write",
        "users:read"
      ],
      "scope_descriptions": {
        "channels:read": "See public channels and who is in them.",
        "channels:history": "Read messages of public channels the app was added to.",
        "chat:write": "Post messages as the app; update and delete its own.",
        "users:read": "See the people of the workspace."
      },
      "optional_scopes": [
        "groups:read",
        "im:read",
        "mpim:read",
        "groups:history",
        "im:history",
        "mpim:history",
        "channels:join",
        "channels:manage",
        "groups:write",
        "im:write",
        "mpim:write",
        "reactions:write",
        "users:read.email",
        "files:read",
        "files:write"
      ],
      "optional_scope_descriptions": {
        "groups:read": "See the private channels the app was added to.",
        "im:read": "See direct messages with the app.",
        "mpim:read": "See group direct messages the app was added to.",
        "groups:history": "Read messages of private channels the app was added to.",
        "im:history": "Read direct messages with the app.",
        "mpim:history": "Read group direct messages the app was added to.",
        "channels:join": "Join public channels.",
        "channels:manage": "Create public channels, invite people to them and set their topics.",
        "groups:write": "Create private channels, invite people to them and set their topics.",
        "im:write": "Start direct messages.",
        "mpim:write": "Start group direct messages.",
        "reactions:write": "Add and remove emoji reactions.",
        "users:read.email": "See the email addresses of people, and find people by them.",
        "files:read": "See the files of conversations the app was added to.",
        "files:write": "Upload files as the app."
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "oldest": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages after this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "latest": {
            "minLength": 1,
            "maxLength": 17,
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "ts": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the first message of the thread, from read_channel or search_messages (thread_ts of any of its replies). For example 1712345678.123456.",
            "type": "string"
          },
          "oldest": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only messages after this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "latest": {
            "minLength": 1,
            "maxLength": 17,
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "ts": {
            "minLength": 1,
            "maxLength": 17,
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
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
            "minLength": 1,
            "maxLength": 80,
            "pattern": "^[a-z0-9_-]+$",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "users": {
            "minItems": 1,
            "maxItems": 100,
            "description": "The IDs of the people.",
            "type": "array",
            "items": {
              "minLength": 1,
              "maxLength": 32,
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
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
      "description": "Open a direct message with one person, or a group message with up to eight. An existing conversation is reused. Returns the ID of the conversation for post_message and read_channel. send_direct_message opens and posts at once.",
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
              "minLength": 1,
              "maxLength": 32,
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
      "description": "Post a message to a channel or direct message as the app, or reply in a thread. Everyone there sees it at once. Returns channel and ts, which identify the message. To message a person, use send_direct_message.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "channel",
          "text"
        ],
        "properties": {
          "channel": {
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Markdown: **bold**, *italic*, \`code\`, lists, [a link](https://example.com). <@U0123456789> mentions a person. Keep it below 4000 characters.",
            "type": "string"
          },
          "thread_ts": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "Reply in the thread of the message with this ts, from read_channel, read_thread or search_messages. For example 1712345678.123456.",
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
      "name": "slack__send_direct_message",
      "title": "Send a direct message",
      "description": "Send a direct message to one person as the app. Returns channel and ts, which identify the message.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "user",
          "text"
        ],
        "properties": {
          "user": {
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[UW][A-Z0-9]{2,30}$",
            "description": "The ID of a person: U0123456789. From list_users or find_user_by_email.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Markdown: **bold**, *italic*, \`code\`, lists, [a link](https://example.com). <@U0123456789> mentions a person. Keep it below 4000 characters.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Send a direct message",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "ts": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Markdown: **bold**, *italic*, \`code\`, lists, [a link](https://example.com). <@U0123456789> mentions a person. Keep it below 4000 characters.",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "ts": {
            "minLength": 1,
            "maxLength": 17,
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "text": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text in Markdown: **bold**, *italic*, \`code\`, lists, [a link](https://example.com). <@U0123456789> mentions a person. Keep it below 4000 characters.",
            "type": "string"
          },
          "post_at": {
            "minimum": 1700000000,
            "maximum": 4102444800,
            "description": "The time to post, in seconds since 1970.",
            "type": "integer"
          },
          "thread_ts": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "Reply in the thread of the message with this ts, from read_channel, read_thread or search_messages. For example 1712345678.123456.",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "ts": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "emoji": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[a-z0-9_+'-]+$",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "ts": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "The ts of the message, from read_channel, read_thread, search_messages or post_message. For example 1712345678.123456.",
            "type": "string"
          },
          "emoji": {
            "minLength": 1,
            "maxLength": 100,
            "pattern": "^[a-z0-9_+'-]+$",
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
            "minLength": 1,
            "maxLength": 32,
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
      "description": "Find a person by email address. Returns the ID for send_direct_message and mentions.",
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
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "user": {
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[UW][A-Z0-9]{2,30}$",
            "description": "Only files of the person with this ID.",
            "type": "string"
          },
          "ts_from": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}(\\\\.\\\\d{6})?$",
            "description": "Only files created after this time. Seconds since 1970, or the ts of a message.",
            "type": "string"
          },
          "ts_to": {
            "minLength": 1,
            "maxLength": 17,
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
      "name": "slack__download_file",
      "title": "Download a file",
      "description": "Read the content of a file that is stored in Slack. Returns an artifact ID and a URL.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "file"
        ],
        "properties": {
          "file": {
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^F[A-Z0-9]+$",
            "description": "The ID of the file, from list_files or a message: F0123456789.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Download a file",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "slack__upload_file",
      "title": "Upload a file",
      "description": "Upload a file and share it in a channel or direct message that the app is in, or in a thread. Returns the ID of the file.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "content",
          "channel"
        ],
        "properties": {
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "The name of the file: report.csv. Default: the name of the artifact; file.txt for a text.",
            "type": "string"
          },
          "content": {
            "minLength": 1,
            "maxLength": 1000000,
            "description": "The file: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
            "type": "string"
          },
          "title": {
            "minLength": 1,
            "maxLength": 250,
            "description": "The title of the file. Default: its name.",
            "type": "string"
          },
          "channel": {
            "minLength": 1,
            "maxLength": 32,
            "pattern": "^[CDG][A-Z0-9]{2,30}$",
            "description": "The ID of a channel or direct message, not its name: C0123456789. From list_channels or search_messages.",
            "type": "string"
          },
          "thread_ts": {
            "minLength": 1,
            "maxLength": 17,
            "pattern": "^\\\\d{10}\\\\.\\\\d{6}$",
            "description": "Reply in the thread of the message with this ts, from read_channel, read_thread or search_messages. For example 1712345678.123456.",
            "type": "string"
          },
          "comment": {
            "minLength": 1,
            "maxLength": 40000,
            "description": "The text of the message with the file, in Markdown: **bold**, *italic*, \`code\`, lists, [a link](https://example.com). <@U0123456789> mentions a person. Keep it below 4000 characters.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Upload a file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
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
            "description": "The customer of the invoice: cus_…, from search_customers or list_customers.",
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
    "description": "Search, read and write boards, lists, cards, labels, comments, checklists and attachments.",
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
            "description": "The board: its ID (from list_boards, or idBoard of search_cards), or the short link in its URL.",
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
            "description": "The board: its ID (from list_boards, or idBoard of search_cards), or the short link in its URL.",
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
            "description": "The board: its ID (from list_boards, or idBoard of search_cards), or the short link in its URL.",
            "type": "string"
          },
          "filter": {
            "description": "Which lists; closed ones are archived. Default: open.",
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
      "name": "trello__update_list",
      "title": "Update list",
      "description": "Rename a list (column), archive or restore it, or move it to either end of its board.",
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
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "type": "string"
          },
          "archived": {
            "description": "true archives the list with its cards; false restores it.",
            "type": "boolean"
          },
          "position": {
            "description": "top is the far left.",
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
        "title": "Update list",
        "readOnlyHint": false,
        "destructiveHint": true,
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
          "position": {
            "description": "Default: bottom.",
            "type": "string",
            "enum": [
              "top",
              "bottom"
            ]
          },
          "description": {
            "maxLength": 16384,
            "description": "Markdown. Replaces the current text.",
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
          "due": {
            "format": "date-time",
            "description": "The due date. For example 2026-03-31T09:00:00Z.",
            "type": "string"
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
          "due": {
            "description": "The due date. For example 2026-03-31T09:00:00Z. null removes it.",
            "anyOf": [
              {
                "format": "date-time",
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "due_complete": {
            "description": "Whether the card is done.",
            "type": "boolean"
          },
          "archived": {
            "description": "true archives the card; false restores it.",
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
      "name": "trello__list_labels",
      "title": "List labels",
      "description": "List the labels of a board with their IDs, names and colors.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board"
        ],
        "properties": {
          "board": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The board: its ID (from list_boards, or idBoard of search_cards), or the short link in its URL.",
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
      "name": "trello__create_label",
      "title": "Create label",
      "description": "Add a label to a board. Returns its ID; add_label puts it on a card.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "board",
          "name",
          "color"
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
            "description": "The name of the label.",
            "type": "string"
          },
          "color": {
            "type": "string",
            "enum": [
              "yellow",
              "purple",
              "blue",
              "red",
              "green",
              "orange",
              "black",
              "sky",
              "pink",
              "lime"
            ]
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Create label",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__update_label",
      "title": "Update label",
      "description": "Change the name or the color of a label, on all cards that have it.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "label"
        ],
        "properties": {
          "label": {
            "pattern": "^[0-9a-f]{24}$",
            "description": "The ID of the label, from list_labels or get_board. All 24 digits, not the short link.",
            "type": "string"
          },
          "name": {
            "minLength": 1,
            "maxLength": 16384,
            "description": "The new name.",
            "type": "string"
          },
          "color": {
            "description": "null removes it.",
            "anyOf": [
              {
                "type": "string",
                "enum": [
                  "yellow",
                  "purple",
                  "blue",
                  "red",
                  "green",
                  "orange",
                  "black",
                  "sky",
                  "pink",
                  "lime"
                ]
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
        "title": "Update label",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__add_label",
      "title": "Add label to card",
      "description": "Put a label on a card, and keep its other labels.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "label"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "label": {
            "pattern": "^[0-9a-f]{24}$",
            "description": "The ID of the label, from list_labels or get_board. All 24 digits, not the short link.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Add label to card",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__remove_label",
      "title": "Remove label from card",
      "description": "Take a label off a card. The label stays on the board and on other cards.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "label"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "label": {
            "pattern": "^[0-9a-f]{24}$",
            "description": "The ID of the label, from list_labels or get_board. All 24 digits, not the short link.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Remove label from card",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": true
      }
    },
    {
      "name": "trello__list_comments",
      "title": "List comments",
      "description": "List the comments on a card, newest first: ID, text, author and date.",
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
      "name": "trello__edit_comment",
      "title": "Edit comment",
      "description": "Replace the text of a comment of the connected member.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "comment",
          "text"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "comment": {
            "pattern": "^[0-9a-f]{24}$",
            "description": "The ID of the comment, from list_comments or add_comment. All 24 digits, not the short link.",
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
        "title": "Edit comment",
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
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
            "maxLength": 2048,
            "pattern": "^https?://[^\\\\s]+$",
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
    },
    {
      "name": "trello__attach_file",
      "title": "Attach file",
      "description": "Attach a file to a card, from an artifact or from text. Returns its ID, name, URL and size.",
      "inputSchema": {
        "additionalProperties": false,
        "type": "object",
        "required": [
          "card",
          "content"
        ],
        "properties": {
          "card": {
            "pattern": "^[A-Za-z0-9]{8,24}$",
            "description": "The card: its ID (from search_cards or list_cards), or the short link in its URL.",
            "type": "string"
          },
          "content": {
            "minLength": 1,
            "maxLength": 1000000,
            "description": "The file: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.",
            "type": "string"
          },
          "file_name": {
            "minLength": 1,
            "maxLength": 200,
            "pattern": "^[^\\\\\\\\/\\\\r\\\\n]+$",
            "description": "The name of the file: report.csv. Default: the name of the artifact; file.txt for a text.",
            "type": "string"
          },
          "account": {
            "description": "The account to use. Required if you have several.",
            "type": "string"
          }
        }
      },
      "annotations": {
        "title": "Attach file",
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": true
      }
    }
  ]
}
`
