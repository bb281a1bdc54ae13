/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/app.test.ts > TAP > every route runs its hooks in the documented order > must match snapshot 1`] = `
├── /health (GET)
│   • (onRequest) ["nameRequest()","judgeOrigin()"]
│   • (onResponse) ["logRequest()"]
│   /health (HEAD)
│   • (onRequest) ["nameRequest()","judgeOrigin()"]
│   • (onSend) ["headRouteOnSendHandler()"]
│   • (onResponse) ["logRequest()"]
├── /version (GET)
│   • (onRequest) ["nameRequest()","judgeOrigin()"]
│   • (onResponse) ["logRequest()"]
├── /.well-known/oauth-protected-resource/mcp (GET)
│   • (onRequest) ["nameRequest()","judgeOrigin()"]
│   • (onResponse) ["logRequest()"]
└── /mcp (GET, HEAD, TRACE, DELETE, OPTIONS, PATCH, PUT, QUERY)
    • (onRequest) ["nameRequest()","judgeOrigin()","refuseMethod()"]
    • (onResponse) ["logRequest()"]
    /mcp (POST)
    • (onRequest) ["nameRequest()","judgeOrigin()","shedLoad()","identify()","resolveOrg()","refuseStanding()","countRequest()"]
    • (preValidation) ["judgeTransport()"]
    • (onResponse) ["logRequest()"]

`

exports[`test/app.test.ts > TAP > every tool shows on the wire what was reviewed > must match snapshot 1`] = `
[
  {
    "name": "manage__switch_org",
    "title": "Switch organization",
    "description": "Makes another of your organizations the one this client works in, from the next call on. manage__whoami lists them. Needs a user sign-in; API keys are refused.",
    "inputSchema": {
      "additionalProperties": false,
      "type": "object",
      "required": [
        "organization_id"
      ],
      "properties": {
        "organization_id": {
          "pattern": "^org_[0-9a-f]{32}$",
          "type": "string",
          "description": "The id of the organization, org_ and 32 hexadecimal digits."
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "required": [
        "active_organization_id"
      ],
      "properties": {
        "active_organization_id": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "title": "Switch organization",
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "manage__whoami",
    "title": "Who am I",
    "description": "Tells which user is signed in, the organization this session works in, and every organization the user belongs to. Needs a user sign-in; API keys are refused.",
    "inputSchema": {
      "additionalProperties": false,
      "type": "object",
      "properties": {}
    },
    "outputSchema": {
      "type": "object",
      "required": [
        "user_id",
        "active_organization_id",
        "role",
        "organizations"
      ],
      "properties": {
        "user_id": {
          "type": "string"
        },
        "active_organization_id": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ]
        },
        "role": {
          "anyOf": [
            {
              "type": "string",
              "enum": [
                "owner",
                "admin",
                "member"
              ]
            },
            {
              "type": "null"
            }
          ]
        },
        "organizations": {
          "type": "array",
          "items": {
            "type": "object",
            "required": [
              "id",
              "name",
              "role"
            ],
            "properties": {
              "id": {
                "type": "string"
              },
              "name": {
                "type": "string"
              },
              "role": {
                "type": "string",
                "enum": [
                  "owner",
                  "admin",
                  "member"
                ]
              }
            }
          }
        }
      }
    },
    "annotations": {
      "title": "Who am I",
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "memory__forget",
    "title": "Forget",
    "description": "Delete a memory for good. Use it when the user asks to forget something or a memory no longer holds; to correct one use memory__update_memory. Takes the id that memory__search_memory or memory__list_memories showed. A shared memory is deleted for the whole organization, by its author or by an owner or admin.",
    "inputSchema": {
      "additionalProperties": false,
      "type": "object",
      "required": [
        "id"
      ],
      "properties": {
        "id": {
          "pattern": "^mem_[0-9a-f]{32}$",
          "type": "string"
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "required": [
        "id"
      ],
      "properties": {
        "id": {
          "pattern": "^mem_[0-9a-f]{32}$",
          "type": "string"
        }
      }
    },
    "annotations": {
      "title": "Forget",
      "readOnlyHint": false,
      "destructiveHint": true,
      "idempotentHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "memory__list_memories",
    "title": "List memories",
    "description": "List what was remembered for this user and shared in their organization, the newest first. Use it to review or tidy up; to find something particular use memory__search_memory. When next_cursor is in the answer, call again with it as cursor for the next page.",
    "inputSchema": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "scope": {
          "description": "private: only this user sees it. shared: every member of the organization does.",
          "type": "string",
          "enum": [
            "private",
            "shared"
          ]
        },
        "limit": {
          "minimum": 1,
          "maximum": 50,
          "default": 20,
          "description": "How many memories a page has at most.",
          "type": "integer"
        },
        "cursor": {
          "minLength": 1,
          "maxLength": 200,
          "description": "next_cursor of the page before, unchanged.",
          "type": "string"
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "required": [
        "memories"
      ],
      "properties": {
        "memories": {
          "type": "array",
          "items": {
            "type": "object",
            "required": [
              "id",
              "memory",
              "scope",
              "created_at",
              "updated_at"
            ],
            "properties": {
              "id": {
                "pattern": "^mem_[0-9a-f]{32}$",
                "type": "string"
              },
              "memory": {
                "type": "string"
              },
              "scope": {
                "description": "private: only this user sees it. shared: every member of the organization does.",
                "type": "string",
                "enum": [
                  "private",
                  "shared"
                ]
              },
              "author": {
                "pattern": "^usr_[0-9a-f]{32}$",
                "type": "string"
              },
              "created_at": {
                "pattern": "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT\\\\d\\\\d:\\\\d\\\\d:\\\\d\\\\d\\\\.\\\\d{3}Z$",
                "type": "string"
              },
              "updated_at": {
                "pattern": "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT\\\\d\\\\d:\\\\d\\\\d:\\\\d\\\\d\\\\.\\\\d{3}Z$",
                "type": "string"
              }
            }
          }
        },
        "next_cursor": {
          "description": "Where the next page begins; absent on the last.",
          "type": "string"
        }
      }
    },
    "annotations": {
      "title": "List memories",
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "memory__remember",
    "title": "Remember",
    "description": "Save something worth knowing in later conversations: a fact, preference, decision or instruction. Use it when the user asks to remember something or tells something lasting. Write one self-contained statement per call, with names and dates instead of \\"he\\" or \\"tomorrow\\". Never save passwords or other secrets. Answers with the id of the new memory. To correct an existing one, find it and use memory__update_memory instead.",
    "inputSchema": {
      "additionalProperties": false,
      "type": "object",
      "required": [
        "memory"
      ],
      "properties": {
        "memory": {
          "minLength": 1,
          "maxLength": 16000,
          "description": "The text to remember, in any language.",
          "type": "string"
        },
        "scope": {
          "description": "private (default): only this user finds it. shared: every member of the organization does; choose it when the user wants others to know.",
          "type": "string",
          "enum": [
            "private",
            "shared"
          ],
          "default": "private"
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "required": [
        "id",
        "memory",
        "scope",
        "created_at"
      ],
      "properties": {
        "id": {
          "pattern": "^mem_[0-9a-f]{32}$",
          "type": "string"
        },
        "memory": {
          "type": "string"
        },
        "scope": {
          "description": "private: only this user sees it. shared: every member of the organization does.",
          "type": "string",
          "enum": [
            "private",
            "shared"
          ]
        },
        "created_at": {
          "pattern": "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT\\\\d\\\\d:\\\\d\\\\d:\\\\d\\\\d\\\\.\\\\d{3}Z$",
          "type": "string"
        }
      }
    },
    "annotations": {
      "title": "Remember",
      "readOnlyHint": false,
      "destructiveHint": false,
      "idempotentHint": false,
      "openWorldHint": false
    }
  },
  {
    "name": "memory__search_memory",
    "title": "Search memory",
    "description": "Search what was remembered for this user and shared in their organization. Use it before answering whenever earlier decisions, preferences or facts could matter. Finds memories that contain words of the query, also as the start of a longer word or with a typo, in any language; the best match comes first. It compares words, not meanings: send the few telling words, and try synonyms when nothing comes back. Each result has the id that memory__update_memory and memory__forget take.",
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
          "description": "The words to look for, in any language.",
          "type": "string"
        },
        "limit": {
          "minimum": 1,
          "maximum": 50,
          "default": 10,
          "description": "How many memories to return at most.",
          "type": "integer"
        },
        "scope": {
          "description": "private: only this user sees it. shared: every member of the organization does.",
          "type": "string",
          "enum": [
            "private",
            "shared"
          ]
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "required": [
        "memories"
      ],
      "properties": {
        "memories": {
          "type": "array",
          "items": {
            "type": "object",
            "required": [
              "id",
              "memory",
              "scope",
              "created_at",
              "updated_at"
            ],
            "properties": {
              "id": {
                "pattern": "^mem_[0-9a-f]{32}$",
                "type": "string"
              },
              "memory": {
                "type": "string"
              },
              "scope": {
                "description": "private: only this user sees it. shared: every member of the organization does.",
                "type": "string",
                "enum": [
                  "private",
                  "shared"
                ]
              },
              "author": {
                "pattern": "^usr_[0-9a-f]{32}$",
                "type": "string"
              },
              "created_at": {
                "pattern": "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT\\\\d\\\\d:\\\\d\\\\d:\\\\d\\\\d\\\\.\\\\d{3}Z$",
                "type": "string"
              },
              "updated_at": {
                "pattern": "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT\\\\d\\\\d:\\\\d\\\\d:\\\\d\\\\d\\\\.\\\\d{3}Z$",
                "type": "string"
              }
            }
          }
        }
      }
    },
    "annotations": {
      "title": "Search memory",
      "readOnlyHint": true,
      "destructiveHint": false,
      "idempotentHint": true,
      "openWorldHint": false
    }
  },
  {
    "name": "memory__update_memory",
    "title": "Update a memory",
    "description": "Correct a memory or change who sees it. Use it when something remembered is outdated or wrong, instead of remembering it a second time. The new text replaces the old one whole. A shared memory is changed by its author or by an owner or admin of the organization. Answers with the memory as it now is.",
    "inputSchema": {
      "additionalProperties": false,
      "type": "object",
      "required": [
        "id"
      ],
      "properties": {
        "id": {
          "pattern": "^mem_[0-9a-f]{32}$",
          "type": "string"
        },
        "memory": {
          "minLength": 1,
          "maxLength": 16000,
          "description": "The whole new text.",
          "type": "string"
        },
        "scope": {
          "description": "private: only this user sees it. shared: every member of the organization does.",
          "type": "string",
          "enum": [
            "private",
            "shared"
          ]
        }
      }
    },
    "outputSchema": {
      "type": "object",
      "required": [
        "id",
        "memory",
        "scope",
        "created_at",
        "updated_at"
      ],
      "properties": {
        "id": {
          "pattern": "^mem_[0-9a-f]{32}$",
          "type": "string"
        },
        "memory": {
          "type": "string"
        },
        "scope": {
          "description": "private: only this user sees it. shared: every member of the organization does.",
          "type": "string",
          "enum": [
            "private",
            "shared"
          ]
        },
        "author": {
          "pattern": "^usr_[0-9a-f]{32}$",
          "type": "string"
        },
        "created_at": {
          "pattern": "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT\\\\d\\\\d:\\\\d\\\\d:\\\\d\\\\d\\\\.\\\\d{3}Z$",
          "type": "string"
        },
        "updated_at": {
          "pattern": "^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT\\\\d\\\\d:\\\\d\\\\d:\\\\d\\\\d\\\\.\\\\d{3}Z$",
          "type": "string"
        }
      }
    },
    "annotations": {
      "title": "Update a memory",
      "readOnlyHint": false,
      "destructiveHint": true,
      "idempotentHint": true,
      "openWorldHint": false
    }
  }
]
`
