-- Migrations of the file of keys, each run once, in order, in a transaction that raises user_version.
-- Never change one that has been released: add another.

-- name: 1 the first schema
CREATE TABLE key (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    spaces TEXT NOT NULL,  -- a JSON list
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    salt TEXT NOT NULL,
    digest TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE reply (
    asked TEXT PRIMARY KEY,  -- digest of who asked what, where, under which idempotency key
    request TEXT NOT NULL,  -- digest of what was asked
    status INTEGER NOT NULL DEFAULT 0,  -- 0: under way, or its process died
    body BLOB,  -- sealed under a secret of whoever asked
    at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX reply_by_age ON reply (at);
