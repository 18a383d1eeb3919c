-- name: create
INSERT OR IGNORE INTO space (id, name, profile, profile_text, created_at, user_factor, embedder, embedder_before,
    sealing)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: place
INSERT INTO space (id, name, profile, profile_text, created_at, user_factor, embedder, embedder_before,
    sealing, origin, anchor_number, anchor_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);

-- name: by_name
SELECT id, name, profile, profile_text, created_at, user_factor, anchor_number, anchor_hash,
    embedder, embedder_before, sealing, origin
FROM space WHERE name = ?1;

-- name: by_id
SELECT id, name, profile, profile_text, created_at, user_factor, anchor_number, anchor_hash,
    embedder, embedder_before, sealing, origin
FROM space WHERE id = ?1;

-- name: all
SELECT id, name, profile, profile_text, created_at, user_factor, anchor_number, anchor_hash,
    embedder, embedder_before, sealing, origin
FROM space ORDER BY name;

-- name: update
UPDATE space SET profile = ?2, profile_text = ?3, user_factor = ?4, embedder = ?5, embedder_before = ?6
WHERE id = ?1 RETURNING id;

-- name: rekey
UPDATE space SET sealing = ?2 WHERE id = ?1 AND sealing = ?3 RETURNING id;

-- name: anchor
-- Only ever forwards: two writers may come here in the other order than they committed in.
UPDATE space SET anchor_number = ?2, anchor_hash = ?3 WHERE id = ?1 AND anchor_number < ?2;
