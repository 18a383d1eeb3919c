-- Migrations of a house in PostgreSQL, each run once, in order, under a lock, in one transaction.
-- Never change one that has been released: add another. A migration only adds, so that programs which know
-- fewer of them go on working while others are updated; one that cannot says `-- oldest: n`, the least
-- number of migrations a program must know from then on.

-- name: 1 the first schema
-- Catalog: the same for everybody. What is in a space is told apart by its number.
CREATE TABLE holdfast.space (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    name text COLLATE "C" NOT NULL UNIQUE,
    profile text NOT NULL,
    profile_text text NOT NULL,
    created_at bigint NOT NULL,             -- every time is microseconds since 1970
    user_factor double precision NOT NULL DEFAULT 1.0,
    embedder text NOT NULL DEFAULT '',
    embedder_before text NOT NULL DEFAULT '',
    sealing text NOT NULL DEFAULT '',
    origin text NOT NULL DEFAULT ''
);

-- What every writer of a space locks first. `sequence` rises with every write that an image can see; the
-- head of the ledger is anchored here, outside of it.
CREATE TABLE holdfast.state (
    space bigint PRIMARY KEY REFERENCES holdfast.space (number),
    sequence bigint NOT NULL DEFAULT 0,
    anchor_number bigint NOT NULL DEFAULT 0,
    anchor_hash text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

-- Who decides just now; nothing relies on it, so it need not survive.
CREATE UNLOGGED TABLE holdfast.turn (
    space bigint PRIMARY KEY,
    holder text NOT NULL,
    until timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Keys of a house: digests, never secrets.
CREATE TABLE holdfast.key (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL,
    spaces text NOT NULL,                   -- a JSON list
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    salt text NOT NULL,
    digest text NOT NULL
);

-- What a server answered lately, so that a request sent twice is done once.
CREATE TABLE holdfast.reply (
    asked text COLLATE "C" PRIMARY KEY,     -- digest of who asked what, where, under which idempotency key
    request text NOT NULL,                  -- digest of what was asked
    at bigint NOT NULL,
    status integer NOT NULL DEFAULT 0,      -- 0: under way, or its process died
    body bytea NOT NULL DEFAULT ''
);
CREATE INDEX ON holdfast.reply (at);

-- Everything below belongs to one space, is keyed by it first, and is seen only under its number.
-- What is current, as columns to list by; the words are in `version`.
CREATE TABLE holdfast.memory (
    space bigint NOT NULL,
    row bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    layer text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    marks text[] NOT NULL,
    entity_type text NOT NULL,
    session text NOT NULL,
    created_at bigint NOT NULL,
    accesses bigint NOT NULL,
    accessed_at bigint,
    PRIMARY KEY (space, row),
    UNIQUE (space, id)
) PARTITION BY HASH (space);
CREATE INDEX ON holdfast.memory (space, layer, status);
CREATE INDEX ON holdfast.memory (space, entity_type, id) WHERE entity_type <> '';
CREATE INDEX ON holdfast.memory (space, session, id) WHERE session <> '';

-- Every after-image there was, the newest too. A purge takes the words out of the body, and the salt.
CREATE TABLE holdfast.version (
    space bigint NOT NULL,
    memory bigint NOT NULL,
    version integer NOT NULL,
    entry bigint NOT NULL,
    at bigint NOT NULL,
    salt bytea,
    body text NOT NULL,
    PRIMARY KEY (space, memory, version)
) PARTITION BY HASH (space);

CREATE TABLE holdfast.entry (
    space bigint NOT NULL,
    number bigint NOT NULL,
    change text COLLATE "C" NOT NULL,
    body text NOT NULL,                     -- the canonical text; hash is taken over it
    hash text NOT NULL,
    PRIMARY KEY (space, number),
    UNIQUE (space, change)
) PARTITION BY HASH (space);

CREATE TABLE holdfast.purge (
    space bigint NOT NULL,
    memory bigint NOT NULL,
    entry bigint NOT NULL,
    PRIMARY KEY (space, memory, entry)
) PARTITION BY HASH (space);

-- What images are built from. `never`: it is not to have a vector.
CREATE TABLE holdfast.image (
    space bigint NOT NULL,
    row bigint NOT NULL,
    seq bigint NOT NULL,
    never boolean NOT NULL,
    record bytea NOT NULL,
    words bytea NOT NULL,
    PRIMARY KEY (space, row)
) PARTITION BY HASH (space);
CREATE INDEX ON holdfast.image (space, seq);

CREATE TABLE holdfast.removed (
    space bigint NOT NULL,
    row bigint NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (space, row)
) PARTITION BY HASH (space);

CREATE TABLE holdfast.embedder (
    space bigint NOT NULL,
    number smallint NOT NULL,
    name text NOT NULL,
    size integer NOT NULL,                  -- bytes of a vector
    PRIMARY KEY (space, number),
    UNIQUE (space, name)
) PARTITION BY HASH (space);

-- The bytes of vectors as they were given. They stay in the row up to 8 kB: 512 dimensions are 2 kB, which
-- PostgreSQL would otherwise move out of line and read one by one.
CREATE TABLE holdfast.vector (
    space bigint NOT NULL,
    embedder smallint NOT NULL,
    row bigint NOT NULL,
    data bytea STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (space, embedder, row)
) PARTITION BY HASH (space);

-- Raw output: a table of its own, which no recall reads (P1).
CREATE TABLE holdfast.quarantine (
    space bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    salt bytea NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (space, id)
) PARTITION BY HASH (space);

CREATE TABLE holdfast.weight (
    space bigint NOT NULL,
    memory bigint NOT NULL,
    entry bigint NOT NULL,                  -- 0: came with a space that was loaded
    place integer NOT NULL,
    at bigint NOT NULL,
    old double precision NOT NULL,
    new double precision NOT NULL,
    reason text NOT NULL,
    factors text NOT NULL,
    PRIMARY KEY (space, memory, entry, place)
) PARTITION BY HASH (space);

CREATE TABLE holdfast.job (
    space bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    payload text NOT NULL,
    run_at bigint NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    held_until bigint,
    failed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (space, id)
) PARTITION BY HASH (space);
CREATE INDEX ON holdfast.job (space, run_at);

-- Partitions; and row-level security on tables and partitions, for the owner too: without a space set there
-- is nothing to see, whichever way it is asked.
DO $$
DECLARE
    parent text;
    part integer;
    parts integer := current_setting('holdfast.partitions')::integer;
BEGIN
    FOR parent IN SELECT relname FROM pg_class
                  WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'p' LOOP
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format(
                'CREATE TABLE holdfast.%I PARTITION OF holdfast.%I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                parent || '_' || part, parent, parts, part);
            IF parent = 'vector' THEN
                EXECUTE format('ALTER TABLE holdfast.%I SET (toast_tuple_target = 8160)', parent || '_' || part);
            END IF;
        END LOOP;
    END LOOP;
    FOR parent IN SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace
                  AND (relkind = 'p' OR relkind = 'r' AND relispartition) LOOP
        EXECUTE format('ALTER TABLE holdfast.%I ENABLE ROW LEVEL SECURITY', parent);
        EXECUTE format('ALTER TABLE holdfast.%I FORCE ROW LEVEL SECURITY', parent);
        EXECUTE format(
            'CREATE POLICY own_space ON holdfast.%I USING '
            '(space = nullif(current_setting(''holdfast.space'', true), '''')::bigint)', parent);
    END LOOP;
END $$;

-- name: 2 points of spaces that are too large to be held in memory
-- Half vectors: of 512 dimensions they stay in the row, and only candidates are found by them.
CREATE TABLE holdfast.point (
    space bigint NOT NULL,
    embedder text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,                    -- of the truth, when it was fed
    stamp bigint NOT NULL,
    layer text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    entity_type text NOT NULL,
    session text NOT NULL,
    confidence double precision NOT NULL,
    near halfvec NOT NULL,
    PRIMARY KEY (space, embedder, id)
) PARTITION BY HASH (space);

CREATE TABLE holdfast.fed (
    space bigint NOT NULL,
    embedder text COLLATE "C" NOT NULL,
    dimensions integer NOT NULL,
    sequence bigint NOT NULL,
    PRIMARY KEY (space, embedder)
) PARTITION BY HASH (space);

DO $$
DECLARE
    parent text;
    part integer;
    parts integer := (SELECT count(*) FROM pg_inherits WHERE inhparent = 'holdfast.memory'::regclass);
BEGIN
    FOREACH parent IN ARRAY ARRAY['point', 'fed'] LOOP
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format(
                'CREATE TABLE holdfast.%I PARTITION OF holdfast.%I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                parent || '_' || part, parent, parts, part);
        END LOOP;
    END LOOP;
    FOR parent IN SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace
                  AND relkind IN ('p', 'r') AND relname ~ '^(point|fed)(_[0-9]+)?$' LOOP
        EXECUTE format('ALTER TABLE holdfast.%I ENABLE ROW LEVEL SECURITY', parent);
        EXECUTE format('ALTER TABLE holdfast.%I FORCE ROW LEVEL SECURITY', parent);
        EXECUTE format(
            'CREATE POLICY own_space ON holdfast.%I USING '
            '(space = nullif(current_setting(''holdfast.space'', true), '''')::bigint)', parent);
    END LOOP;
END $$;

-- One index a number of dimensions, made when the first points of it come, with the rights of the tables' owner.
CREATE FUNCTION holdfast.index_points(dimensions integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS %I ON holdfast.point USING hnsw ((near::halfvec(%s)) halfvec_cosine_ops) '
        'WHERE vector_dims(near) = %s', 'point_near_' || dimensions, dimensions, dimensions);
END $$;
