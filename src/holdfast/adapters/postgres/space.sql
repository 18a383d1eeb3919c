-- Every statement on a space; $1 is always its number. Named as the port's methods where one statement does.

-- name: sequence
SELECT sequence FROM holdfast.state WHERE space = $1;

-- name: lock
SELECT sequence FROM holdfast.state WHERE space = $1 FOR UPDATE;

-- name: head
SELECT coalesce((SELECT max(number) FROM holdfast.entry WHERE space = $1), 0),
       (SELECT hash FROM holdfast.entry WHERE space = $1 ORDER BY number DESC LIMIT 1),
       coalesce((SELECT max(row) FROM holdfast.memory WHERE space = $1), 0);

-- name: set_state
UPDATE holdfast.state SET sequence = $2, anchor_number = $3, anchor_hash = $4 WHERE space = $1;

-- name: set_origin
UPDATE holdfast.space SET origin = $2 WHERE number = $1;

-- name: set_sequence
UPDATE holdfast.state SET sequence = $2 WHERE space = $1;

-- name: known
SELECT id, row, version FROM holdfast.memory WHERE space = $1 AND id = ANY ($2::text[]);

-- name: embeddable
SELECT memory.id, memory.row, memory.version
FROM holdfast.memory JOIN holdfast.image ON image.space = $1 AND image.row = memory.row
WHERE memory.space = $1 AND memory.id = ANY ($2::text[]) AND NOT image.never;

-- name: put_memory
INSERT INTO holdfast.memory (space, row, id, version, layer, kind, status, marks, entity_type, session,
    created_at, accesses, accessed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (space, row) DO UPDATE SET
    version = excluded.version, layer = excluded.layer, kind = excluded.kind, status = excluded.status,
    marks = excluded.marks, entity_type = excluded.entity_type, session = excluded.session,
    created_at = excluded.created_at;

-- name: put_version
INSERT INTO holdfast.version (space, memory, version, entry, at, salt, body)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: put_entry
INSERT INTO holdfast.entry (space, number, change, body, hash) VALUES ($1, $2, $3, $4, $5);

-- name: put_image
-- $7: the content is what it was, so the vectors are too.
INSERT INTO holdfast.image (space, row, seq, never, record, words) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (space, row) DO UPDATE SET
    seq = excluded.seq, record = excluded.record, words = excluded.words,
    never = CASE WHEN $7::boolean THEN image.never ELSE excluded.never END;

-- name: put_back
DELETE FROM holdfast.removed WHERE space = $1 AND row = ANY ($2::bigint[]);

-- name: put_capture
INSERT INTO holdfast.quarantine (space, id, salt, body) VALUES ($1, $2, $3, $4);

-- name: has_capture
SELECT id FROM holdfast.quarantine WHERE space = $1 AND id = $2;

-- name: drop_capture
DELETE FROM holdfast.quarantine WHERE space = $1 AND id = $2 RETURNING id;

-- name: put_weight
INSERT INTO holdfast.weight (space, memory, entry, place, at, old, new, reason, factors)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: bodies
SELECT version, body FROM holdfast.version WHERE space = $1 AND memory = $2;

-- name: shred_version
UPDATE holdfast.version SET body = $4, salt = NULL WHERE space = $1 AND memory = $2 AND version = $3;

-- name: shred_memory
UPDATE holdfast.memory SET entity_type = '' WHERE space = $1 AND row = $2;

-- name: drop_image
DELETE FROM holdfast.image WHERE space = $1 AND row = $2 RETURNING row;

-- name: put_removed
INSERT INTO holdfast.removed (space, row, seq) VALUES ($1, $2, $3)
ON CONFLICT (space, row) DO UPDATE SET seq = excluded.seq;

-- name: put_purge
INSERT INTO holdfast.purge (space, memory, entry) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

-- name: put_purge_of
INSERT INTO holdfast.purge (space, memory, entry)
SELECT $1, row, $3::bigint FROM holdfast.memory WHERE space = $1 AND id = $2 ON CONFLICT DO NOTHING;

-- name: touch
UPDATE holdfast.memory SET accesses = accesses + $3, accessed_at = greatest(accessed_at, $4)
WHERE space = $1 AND id = $2;

-- name: embedder
SELECT number, size FROM holdfast.embedder WHERE space = $1 AND name = $2;

-- name: embedders
SELECT number, name, size FROM holdfast.embedder WHERE space = $1 ORDER BY number;

-- name: put_embedder
INSERT INTO holdfast.embedder (space, number, name, size) VALUES ($1, $2, $3, $4);

-- name: drop_embedder
DELETE FROM holdfast.embedder WHERE space = $1 AND number = $2;

-- name: embedded_counts
SELECT embedder.name, count(*) FROM holdfast.embedder
JOIN holdfast.vector ON vector.space = $1 AND vector.embedder = embedder.number
WHERE embedder.space = $1 GROUP BY embedder.name;

-- name: put_vector
INSERT INTO holdfast.vector (space, embedder, row, data) VALUES ($1, $2, $3, $4)
ON CONFLICT (space, embedder, row) DO UPDATE SET data = excluded.data;

-- name: drop_vectors
DELETE FROM holdfast.vector WHERE space = $1 AND embedder = $2;

-- name: erase_vectors
DELETE FROM holdfast.vector WHERE space = $1 AND row = ANY ($2::bigint[]) AND embedder = ANY (
    SELECT number FROM holdfast.embedder WHERE space = $1);

-- name: seen_anew
UPDATE holdfast.image SET seq = $3 WHERE space = $1 AND row = ANY ($2::bigint[]);

-- name: lost_vectors
UPDATE holdfast.image SET seq = $3 WHERE space = $1 AND row IN (
    SELECT row FROM holdfast.vector WHERE space = $1 AND embedder = $2) RETURNING row;

-- name: unembedded
SELECT version.body, memory.accesses, memory.accessed_at
FROM holdfast.image JOIN holdfast.memory ON memory.space = $1 AND memory.row = image.row
JOIN holdfast.version ON version.space = $1 AND version.memory = memory.row AND version.version = memory.version
WHERE image.space = $1 AND NOT image.never AND NOT EXISTS (
    SELECT FROM holdfast.vector WHERE space = $1 AND embedder = $2 AND vector.row = image.row)
ORDER BY image.row LIMIT $3;

-- name: batch
SELECT image.row, memory.id, image.record, image.words, memory.accesses, memory.accessed_at
FROM holdfast.image JOIN holdfast.memory ON memory.space = $1 AND memory.row = image.row
WHERE image.space = $1 ORDER BY image.row;

-- name: batch_since
SELECT image.row, memory.id, image.record, image.words, memory.accesses, memory.accessed_at
FROM holdfast.image JOIN holdfast.memory ON memory.space = $1 AND memory.row = image.row
WHERE image.space = $1 AND image.seq > $2 ORDER BY image.row;

-- name: batch_of
SELECT image.row, memory.id, image.record, image.words, memory.accesses, memory.accessed_at
FROM holdfast.memory JOIN holdfast.image ON image.space = $1 AND image.row = memory.row
WHERE memory.space = $1 AND memory.id = ANY ($2::text[]) ORDER BY image.row;

-- name: vectors_by
SELECT row, data FROM holdfast.vector
WHERE space = $1 AND embedder = (SELECT number FROM holdfast.embedder WHERE space = $1 AND name = $2) ORDER BY row;

-- name: vectors_since
SELECT vector.row, vector.data FROM holdfast.image
JOIN holdfast.vector ON vector.space = $1 AND vector.embedder = $2 AND vector.row = image.row
WHERE image.space = $1 AND image.seq > $3 ORDER BY vector.row;

-- name: vectors_of
SELECT vector.row, vector.data FROM holdfast.memory
JOIN holdfast.vector ON vector.space = $1 AND vector.embedder = $2 AND vector.row = memory.row
WHERE memory.space = $1 AND memory.id = ANY ($3::text[]) ORDER BY vector.row;

-- name: vectors_between
SELECT row, data FROM holdfast.vector WHERE space = $1 AND embedder = $2 AND row BETWEEN $3 AND $4 ORDER BY row;

-- name: removed_since
SELECT row FROM holdfast.removed WHERE space = $1 AND seq > $2 ORDER BY row;

-- name: get
-- No join: planned for every partition at once it would be one of whole tables, or of several workers.
SELECT id, (
    SELECT body FROM holdfast.version
    WHERE space = $1 AND version.memory = memory.row AND version.version = memory.version
), accesses, accessed_at
FROM holdfast.memory WHERE space = $1 AND id = ANY ($2::text[]);

-- name: list
-- Of the rows that `listed` finds under its conditions: sorting rows is cheap, sorting bodies is not.
SELECT version.body, found.accesses, found.accessed_at FROM found
JOIN holdfast.version ON version.space = $1 AND version.memory = found.row AND version.version = found.version

-- name: listed
SELECT row, id, version, accesses, accessed_at FROM holdfast.memory

-- name: where_layers
layer = ANY (?::text[])

-- name: where_kinds
kind = ANY (?::text[])

-- name: where_statuses
status = ANY (?::text[])

-- name: where_marks
marks @> ?::text[]

-- name: where_entity_type
-- The second half lets the partial index be used.
entity_type = ? AND entity_type <> ''

-- name: where_no_entity_type
entity_type = ?

-- name: where_session
session = ? AND session <> ''

-- name: where_no_session
session = ?

-- name: where_since
created_at >= ?

-- name: where_until
created_at < ?

-- name: where_after
id > ?

-- name: where_before
id < ?

-- name: count
SELECT layer, status, count(*) FROM holdfast.memory WHERE space = $1 GROUP BY layer, status;

-- name: versions
SELECT version.body FROM holdfast.memory
JOIN holdfast.version ON version.space = $1 AND version.memory = memory.row
WHERE memory.space = $1 AND memory.id = $2 ORDER BY version.version;

-- name: as_of
SELECT found.body FROM (
    SELECT DISTINCT ON (memory) memory, body FROM holdfast.version
    WHERE space = $1 AND at <= $2 ORDER BY memory, version DESC
) AS found JOIN holdfast.memory ON memory.space = $1 AND memory.row = found.memory
ORDER BY memory.id;

-- name: entries
SELECT body, hash FROM holdfast.entry WHERE space = $1 AND number > $2 ORDER BY number LIMIT $3;

-- name: entries_of
SELECT body, hash FROM holdfast.entry
WHERE space = $1 AND number > $2 AND number IN (
    SELECT version.entry FROM holdfast.memory
    JOIN holdfast.version ON version.space = $1 AND version.memory = memory.row
    WHERE memory.space = $1 AND memory.id = $4
    UNION
    SELECT purge.entry FROM holdfast.memory
    JOIN holdfast.purge ON purge.space = $1 AND purge.memory = memory.row
    WHERE memory.space = $1 AND memory.id = $4
)
ORDER BY number LIMIT $3;

-- name: change
SELECT body, hash FROM holdfast.entry WHERE space = $1 AND change = $2;

-- name: weights
SELECT weight.at, weight.old, weight.new, weight.reason, weight.factors
FROM holdfast.memory JOIN holdfast.weight ON weight.space = $1 AND weight.memory = memory.row
WHERE memory.space = $1 AND memory.id = $2 ORDER BY weight.entry, weight.place;

-- name: captures
SELECT body FROM holdfast.quarantine WHERE space = $1 AND id > $2 ORDER BY id LIMIT $3;

-- name: chain
SELECT number, body, hash FROM holdfast.entry WHERE space = $1 AND number > $2 ORDER BY number LIMIT $3;

-- name: images_of
SELECT asked.id, asked.version, version.salt, version.body
FROM unnest($2::text[], $3::integer[]) AS asked (id, version)
JOIN holdfast.memory ON memory.space = $1 AND memory.id = asked.id
JOIN holdfast.version ON version.space = $1 AND version.memory = memory.row AND version.version = asked.version;

-- name: captures_of
SELECT id, salt, body FROM holdfast.quarantine WHERE space = $1 AND id = ANY ($2::text[]);

-- name: totals
SELECT (SELECT count(*) FROM holdfast.version WHERE space = $1),
       (SELECT count(*) FROM holdfast.quarantine WHERE space = $1);

-- name: standing
SELECT memory.row, memory.id, memory.version, memory.layer, memory.kind, memory.status, memory.marks,
       memory.entity_type, memory.session, memory.created_at, newest.version, newest.body
FROM holdfast.memory LEFT JOIN LATERAL (
    SELECT version, body FROM holdfast.version
    WHERE version.space = $1 AND version.memory = memory.row ORDER BY version DESC LIMIT 1
) AS newest ON true
WHERE memory.space = $1 AND memory.row > $2 ORDER BY memory.row LIMIT $3;

-- name: whole_page
-- $2 is the last row of the page before.
SELECT memory.row, memory.id, memory.accesses, memory.accessed_at, image.never, image.record, image.words
FROM holdfast.memory LEFT JOIN holdfast.image ON image.space = $1 AND image.row = memory.row
WHERE memory.space = $1 AND memory.row > $2 ORDER BY memory.row LIMIT $3;

-- name: versions_between
SELECT memory, version, entry, at, salt, body FROM holdfast.version
WHERE space = $1 AND memory BETWEEN $2 AND $3 ORDER BY memory, version;

-- name: weights_between
SELECT memory, at, old, new, reason, factors FROM holdfast.weight
WHERE space = $1 AND memory BETWEEN $2 AND $3 ORDER BY memory, entry, place;

-- name: raw_captures
SELECT id, salt, body FROM holdfast.quarantine WHERE space = $1 AND id > $2 ORDER BY id LIMIT $3;

-- name: raw_jobs
SELECT failed, id, kind, key, payload, run_at, attempts, error FROM holdfast.job WHERE space = $1 ORDER BY id;

-- name: put_job
INSERT INTO holdfast.job (space, id, kind, key, payload, run_at, attempts, error, failed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: index_rows
SELECT memory.id, image.record, image.words
FROM holdfast.image JOIN holdfast.memory ON memory.space = $1 AND memory.row = image.row WHERE image.space = $1;

-- name: enqueue
INSERT INTO holdfast.job (space, id, kind, key, payload, run_at, attempts, error)
SELECT $1, $2, $3, $4::text, $5, $6, $7, $8
WHERE $4 = '' OR NOT EXISTS (
    SELECT FROM holdfast.job WHERE space = $1 AND key = $4 AND NOT failed AND held_until IS NULL)
ON CONFLICT DO NOTHING;

-- name: lease
-- Whoever comes at the same time takes other ones, and waits for nobody.
UPDATE holdfast.job SET held_until = $3, attempts = attempts + 1 WHERE space = $1 AND id IN (
    SELECT id FROM holdfast.job
    WHERE space = $1 AND NOT failed AND run_at <= $2 AND (held_until IS NULL OR held_until <= $2)
      AND (cardinality($4::text[]) = 0 OR kind = ANY ($4::text[]))
    ORDER BY run_at, id LIMIT $5 FOR UPDATE SKIP LOCKED
)
RETURNING id, kind, key, payload, run_at, attempts, error;

-- name: finish
DELETE FROM holdfast.job WHERE space = $1 AND id = $2;

-- name: fail
UPDATE holdfast.job SET held_until = NULL, error = $3, failed = $4::bigint IS NULL,
    run_at = coalesce($4::bigint, run_at)
WHERE space = $1 AND id = $2;

-- name: jobs
SELECT id, kind, key, payload, run_at, attempts, error FROM holdfast.job
WHERE space = $1 AND failed = $2 ORDER BY run_at, id LIMIT $3;

-- name: fed
SELECT dimensions, sequence FROM holdfast.fed WHERE space = $1 AND embedder = $2;

-- name: put_fed
INSERT INTO holdfast.fed (space, embedder, dimensions, sequence) VALUES ($1, $2, $3, $4)
ON CONFLICT (space, embedder) DO UPDATE SET sequence = greatest(fed.sequence, excluded.sequence),
    dimensions = greatest(fed.dimensions, excluded.dimensions);

-- name: index_points
SELECT holdfast.index_points($2::integer) FROM holdfast.state WHERE space = $1;

-- name: put_point
INSERT INTO holdfast.point (space, embedder, id, seq, stamp, layer, kind, status, entity_type, session, confidence,
    near)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::text::halfvec)
ON CONFLICT (space, embedder, id) DO UPDATE SET
    seq = excluded.seq, stamp = excluded.stamp, layer = excluded.layer, kind = excluded.kind,
    status = excluded.status, entity_type = excluded.entity_type, session = excluded.session,
    confidence = excluded.confidence, near = excluded.near
WHERE point.seq <= excluded.seq;

-- name: drop_points
DELETE FROM holdfast.point WHERE space = $1 AND embedder = $2 AND id = ANY ($3::text[]) AND seq <= $4;

-- name: drop_all_points
DELETE FROM holdfast.point WHERE space = $1 AND embedder = $2;

-- name: drop_fed
DELETE FROM holdfast.fed WHERE space = $1 AND embedder = $2;

-- name: fed_embedders
SELECT embedder FROM holdfast.fed WHERE space = $1
AND EXISTS (SELECT FROM holdfast.point WHERE point.space = $1 AND point.embedder = fed.embedder) ORDER BY embedder;

-- name: point_count
SELECT count(*) FROM holdfast.point WHERE space = $1 AND embedder = $2;

-- name: stamps
SELECT id, stamp FROM holdfast.point WHERE space = $1 AND embedder = $2 AND id > $3 ORDER BY id LIMIT $4;

-- name: near
-- Through the index: it scans on (iterative_scan) where the conditions take much away. Without `enable_sort`
-- nothing else gives the order: a planner that has no statistics of what was just fed would sort the space.
SELECT id, 1 - (near::halfvec({dimensions}) <=> $4::text::halfvec({dimensions})) FROM holdfast.point
WHERE space = $1 AND embedder = $2 AND vector_dims(near) = {dimensions} {conditions}
ORDER BY near::halfvec({dimensions}) <=> $4::text::halfvec({dimensions}) LIMIT $3;

-- name: near_exactly
SELECT id, 1 - (near <=> $4::text::halfvec) FROM holdfast.point
WHERE space = $1 AND embedder = $2 {conditions} ORDER BY near <=> $4::text::halfvec, id LIMIT $3;

-- name: scan_on
SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $2::text, true),
       set_config('hnsw.max_scan_tuples', '200000', true), set_config('enable_sort', $3::text, true)
FROM holdfast.state WHERE space = $1;
