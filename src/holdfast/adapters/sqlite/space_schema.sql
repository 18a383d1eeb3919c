-- Migrations of a space file, each run once, in order, in a transaction that raises user_version.
-- Never change one that has been released: add another.

-- name: 1 the first schema
-- The one row that is not about a memory. `sequence` rises with every write that an image can see;
-- `unshredded` says that purged words may still stand in the write-ahead log.
CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    space TEXT NOT NULL,
    name TEXT NOT NULL,
    sequence INTEGER NOT NULL DEFAULT 0,
    unshredded INTEGER NOT NULL DEFAULT 0
);

-- What is current, as columns to list by; the words are in `version`.
CREATE TABLE memory (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    layer TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    marks TEXT NOT NULL,            -- ',core,negated,', or empty
    entity_type TEXT NOT NULL,
    session TEXT NOT NULL,
    created_at INTEGER NOT NULL,    -- every time is microseconds since 1970
    accesses INTEGER NOT NULL,
    accessed_at INTEGER
);
CREATE INDEX memory_layer ON memory (layer, status);

-- Every after-image there was, the newest too. A purge takes the words out of the body, and the salt.
CREATE TABLE version (
    memory INTEGER NOT NULL,
    version INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    at INTEGER NOT NULL,
    salt BLOB,
    body TEXT NOT NULL,
    PRIMARY KEY (memory, version)
) WITHOUT ROWID;

CREATE TABLE entry (
    number INTEGER PRIMARY KEY,
    change TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,             -- the canonical bytes; hash is taken over them
    hash TEXT NOT NULL
);
CREATE TABLE purge (
    memory INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (memory, entry)
) WITHOUT ROWID;

-- What images are built from. `embedded` has a bit for each embedder that has a vector; NULL: never to have one.
CREATE TABLE image (
    row INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    embedded INTEGER,
    record BLOB NOT NULL,
    words BLOB NOT NULL
);
CREATE INDEX image_seq ON image (seq);
CREATE TABLE removed (
    row INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL
);
CREATE TABLE embedder (
    number INTEGER PRIMARY KEY CHECK (number BETWEEN 0 AND 61),
    name TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL
);
-- Vectors of sixteen neighbouring rows end to end: a cold image reads blobs, not rows. id = row / 16 * 64 + embedder.
CREATE TABLE vector (
    id INTEGER PRIMARY KEY,
    data BLOB NOT NULL
);

-- Raw output: a table of its own, which no recall reads.
CREATE TABLE quarantine (
    id TEXT PRIMARY KEY,
    salt BLOB NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE weight (
    id INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL,
    at INTEGER NOT NULL,
    old REAL NOT NULL,
    new REAL NOT NULL,
    reason TEXT NOT NULL,
    factors TEXT NOT NULL
);
CREATE INDEX weight_memory ON weight (memory);

CREATE TABLE job (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    run_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    held_until INTEGER,
    failed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX job_due ON job (failed, run_at);
CREATE INDEX job_key ON job (key);

-- name: 2 jobs tell why they failed; entities and sessions are listed by index
ALTER TABLE job ADD COLUMN error TEXT NOT NULL DEFAULT '';
CREATE INDEX memory_entity ON memory (entity_type, id) WHERE entity_type <> '';
CREATE INDEX memory_session ON memory (session, id) WHERE session <> '';
