-- Every statement on a space file. Named as the port's methods where one statement does.

-- name: sequence
SELECT sequence FROM state;

-- name: head
SELECT sequence, unshredded, coalesce((SELECT max(number) FROM entry), 0),
       (SELECT hash FROM entry ORDER BY number DESC LIMIT 1), coalesce((SELECT max(row) FROM memory), 0)
FROM state;

-- name: set_state
UPDATE state SET sequence = ?1, unshredded = ?2;

-- name: set_sequence
UPDATE state SET sequence = ?1;

-- name: shredded
UPDATE state SET unshredded = 0;

-- name: known
SELECT memory.id, memory.row, memory.version
FROM json_each(?1) AS asked JOIN memory ON memory.id = asked.value;

-- name: embeddable
SELECT memory.id, memory.row, memory.version
FROM json_each(?1) AS asked JOIN memory ON memory.id = asked.value JOIN image ON image.row = memory.row
WHERE image.embedded IS NOT NULL;

-- name: put_memory
INSERT INTO memory (row, id, version, layer, kind, status, marks, entity_type, session, created_at,
                    accesses, accessed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT (row) DO UPDATE SET
    version = excluded.version, layer = excluded.layer, kind = excluded.kind, status = excluded.status,
    marks = excluded.marks, entity_type = excluded.entity_type, session = excluded.session,
    created_at = excluded.created_at;

-- name: put_version
INSERT INTO version (memory, version, entry, at, salt, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: put_entry
INSERT INTO entry (number, change, body, hash) VALUES (?1, ?2, ?3, ?4);

-- name: put_image
-- ?6: the content is what it was, so the vectors are too.
INSERT INTO image (row, seq, embedded, record, words) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (row) DO UPDATE SET
    seq = excluded.seq, record = excluded.record, words = excluded.words,
    embedded = CASE WHEN ?6 THEN image.embedded ELSE excluded.embedded END;

-- name: put_back
DELETE FROM removed WHERE row = ?1;

-- name: put_capture
INSERT INTO quarantine (id, salt, body) VALUES (?1, ?2, ?3);

-- name: drop_capture
DELETE FROM quarantine WHERE id = ?1 RETURNING id;

-- name: put_weight
INSERT INTO weight (memory, at, old, new, reason, factors) VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: bodies
SELECT version, body FROM version WHERE memory = ?1;

-- name: shred_version
UPDATE version SET body = ?3, salt = NULL WHERE memory = ?1 AND version = ?2;

-- name: shred_memory
UPDATE memory SET entity_type = '' WHERE row = ?1;

-- name: drop_image
DELETE FROM image WHERE row = ?1 RETURNING row;

-- name: put_removed
INSERT INTO removed (row, seq) VALUES (?1, ?2) ON CONFLICT (row) DO UPDATE SET seq = excluded.seq;

-- name: put_purge
INSERT OR IGNORE INTO purge (memory, entry) VALUES (?1, ?2);

-- name: put_purge_of
INSERT OR IGNORE INTO purge (memory, entry) SELECT row, ?2 FROM memory WHERE id = ?1;

-- name: touch
UPDATE memory SET accesses = accesses + ?2, accessed_at = max(coalesce(accessed_at, ?3), ?3) WHERE id = ?1;

-- name: embedder
SELECT number, size FROM embedder WHERE name = ?1;

-- name: embedders
SELECT number, name, size FROM embedder ORDER BY number;

-- name: put_embedder
INSERT INTO embedder (number, name, size) VALUES (?1, ?2, ?3);

-- name: drop_embedder
DELETE FROM embedder WHERE number = ?1;

-- name: embedded_count
SELECT count(*) FROM image WHERE (embedded >> ?1) & 1;

-- name: room_for_vectors
INSERT OR IGNORE INTO vector (id, data) VALUES (?1, zeroblob(?2));

-- name: put_vectors
INSERT INTO vector (id, data) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET data = excluded.data;

-- name: has_vectors
SELECT id FROM vector WHERE id BETWEEN ?1 AND ?1 + 63;

-- name: some_vectors
SELECT id FROM vector WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY id;

-- name: drop_vectors
DELETE FROM vector WHERE (id & 63) = ?1;

-- name: mark_embedded
UPDATE image SET embedded = embedded | (1 << ?2), seq = ?3 WHERE row = ?1;

-- name: unmark_embedded
UPDATE image SET embedded = embedded & ~(1 << ?1), seq = ?2 WHERE (embedded >> ?1) & 1;

-- name: unembedded
SELECT version.body, memory.accesses, memory.accessed_at
FROM image JOIN memory ON memory.row = image.row
JOIN version ON version.memory = memory.row AND version.version = memory.version
WHERE (image.embedded >> ?1) & 1 = 0
ORDER BY image.row LIMIT ?2;

-- name: batch
SELECT image.row, memory.id, image.record, image.words, (image.embedded >> ?1) & 1, memory.accesses,
       memory.accessed_at
FROM image JOIN memory ON memory.row = image.row
ORDER BY image.row;

-- name: batch_since
SELECT image.row, memory.id, image.record, image.words, (image.embedded >> ?1) & 1, memory.accesses,
       memory.accessed_at
FROM image INDEXED BY image_seq JOIN memory ON memory.row = image.row
WHERE image.seq > ?2
ORDER BY image.row;

-- name: batch_of
SELECT image.row, memory.id, image.record, image.words, (image.embedded >> ?1) & 1, memory.accesses,
       memory.accessed_at
FROM json_each(?2) AS asked JOIN memory ON memory.id = asked.value JOIN image ON image.row = memory.row
GROUP BY image.row ORDER BY image.row;

-- name: removed_since
SELECT row FROM removed WHERE seq > ?1 ORDER BY row;

-- name: get
SELECT memory.id, version.body, memory.accesses, memory.accessed_at
FROM json_each(?1) AS asked JOIN memory ON memory.id = asked.value
JOIN version ON version.memory = memory.row AND version.version = memory.version;

-- name: list
-- Of the rows that `listed` finds under its conditions: sorting rows is cheap, sorting bodies is not.
SELECT version.body, memory.accesses, memory.accessed_at
FROM memory JOIN version ON version.memory = memory.row AND version.version = memory.version

-- name: listed
SELECT memory.row FROM memory

-- name: where_layers
memory.layer IN (SELECT value FROM json_each(:layers))

-- name: where_kinds
memory.kind IN (SELECT value FROM json_each(:kinds))

-- name: where_statuses
memory.status IN (SELECT value FROM json_each(:statuses))

-- name: where_marks
NOT EXISTS (SELECT 1 FROM json_each(:marks) WHERE instr(memory.marks, ',' || value || ',') = 0)

-- name: where_entity_type
-- The second half lets the partial index be used.
memory.entity_type = :entity_type AND memory.entity_type <> ''

-- name: where_no_entity_type
memory.entity_type = ''

-- name: where_session
memory.session = :session AND memory.session <> ''

-- name: where_no_session
memory.session = ''

-- name: where_since
memory.created_at >= :since

-- name: where_until
memory.created_at < :until

-- name: where_after
memory.id > :after

-- name: where_before
memory.id < :after

-- name: count
SELECT layer, status, count(*) FROM memory GROUP BY layer, status;

-- name: versions
SELECT version.body FROM memory JOIN version ON version.memory = memory.row
WHERE memory.id = ?1 ORDER BY version.version;

-- name: as_of
SELECT version.body, max(version.version)
FROM version JOIN memory ON memory.row = version.memory
WHERE version.at <= ?1
GROUP BY version.memory ORDER BY memory.id;

-- name: entries
SELECT body, hash FROM entry WHERE number > ?1 ORDER BY number LIMIT ?2;

-- name: entries_of
SELECT body, hash FROM entry
WHERE number > ?1 AND number IN (
    SELECT version.entry FROM memory JOIN version ON version.memory = memory.row WHERE memory.id = ?3
    UNION
    SELECT purge.entry FROM memory JOIN purge ON purge.memory = memory.row WHERE memory.id = ?3
)
ORDER BY number LIMIT ?2;

-- name: change
SELECT body, hash FROM entry WHERE change = ?1;

-- name: weights
SELECT weight.at, weight.old, weight.new, weight.reason, weight.factors
FROM memory JOIN weight ON weight.memory = memory.row WHERE memory.id = ?1 ORDER BY weight.id;

-- name: captures
SELECT body FROM quarantine WHERE id > ?1 ORDER BY id LIMIT ?2;

-- name: chain
SELECT number, body, hash FROM entry ORDER BY number;

-- name: image_of
SELECT version.salt, version.body FROM memory JOIN version ON version.memory = memory.row
WHERE memory.id = ?1 AND version.version = ?2;

-- name: capture_of
SELECT salt, body FROM quarantine WHERE id = ?1;

-- name: totals
SELECT (SELECT count(*) FROM version), (SELECT count(*) FROM quarantine);

-- name: standing
SELECT memory.row, memory.id, memory.version, memory.layer, memory.kind, memory.status, memory.marks,
       memory.entity_type, memory.session, memory.created_at, newest.version, newest.body
FROM memory LEFT JOIN version AS newest ON newest.memory = memory.row
    AND newest.version = (SELECT max(version) FROM version WHERE version.memory = memory.row);

-- name: whole_page
-- ?1 is the last row of the page before.
SELECT memory.row, memory.id, memory.accesses, memory.accessed_at, image.row IS NOT NULL, image.embedded,
       image.record, image.words
FROM memory LEFT JOIN image ON image.row = memory.row
WHERE memory.row > ?1 ORDER BY memory.row LIMIT ?2;

-- name: versions_between
SELECT memory, version, entry, at, salt, body FROM version WHERE memory BETWEEN ?1 AND ?2
ORDER BY memory, version;

-- name: weights_between
SELECT memory, at, old, new, reason, factors FROM weight WHERE memory BETWEEN ?1 AND ?2 ORDER BY id;

-- name: raw_captures
SELECT salt, body FROM quarantine ORDER BY id;

-- name: raw_jobs
SELECT failed, id, kind, key, payload, run_at, attempts, error FROM job ORDER BY id;

-- name: put_state
INSERT INTO state (id, space, name, sequence) VALUES (1, ?1, ?2, 1);

-- name: put_job
INSERT INTO job (id, kind, key, payload, run_at, attempts, error, failed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: whose
SELECT space, name, coalesce((SELECT max(number) FROM entry), 0) FROM state;

-- name: index_rows
SELECT memory.id, image.record, image.words FROM image JOIN memory ON memory.row = image.row;

-- name: enqueue
INSERT OR IGNORE INTO job (id, kind, key, payload, run_at, attempts, error)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE ?3 = '' OR NOT EXISTS (SELECT 1 FROM job WHERE key = ?3 AND NOT failed AND held_until IS NULL);

-- name: due
SELECT id FROM job
WHERE NOT failed AND run_at <= ?1 AND (held_until IS NULL OR held_until <= ?1)
  AND (json_array_length(?2) = 0 OR kind IN (SELECT value FROM json_each(?2)))
ORDER BY run_at, id LIMIT ?3;

-- name: lease
UPDATE job SET held_until = ?2, attempts = attempts + 1 WHERE id = ?1
RETURNING id, kind, key, payload, run_at, attempts, error;

-- name: finish
DELETE FROM job WHERE id = ?1;

-- name: fail
UPDATE job SET held_until = NULL, error = ?2, failed = ?3 IS NULL, run_at = coalesce(?3, run_at) WHERE id = ?1;

-- name: jobs
SELECT id, kind, key, payload, run_at, attempts, error FROM job WHERE failed = ?1 ORDER BY run_at, id LIMIT ?2;
