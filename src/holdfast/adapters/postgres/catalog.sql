-- Every statement on the catalog.

-- name: create
WITH made AS (
    INSERT INTO holdfast.space (id, name, profile, profile_text, created_at, user_factor, embedder,
        embedder_before, sealing, origin)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING number
)
INSERT INTO holdfast.state (space, sequence, anchor_number, anchor_hash)
SELECT number, $11::bigint, $12::bigint, $13::text FROM made RETURNING space;

-- name: by_name
SELECT id, name, profile, profile_text, created_at, user_factor, anchor_number, anchor_hash,
    embedder, embedder_before, sealing, origin
FROM holdfast.space JOIN holdfast.state ON state.space = number WHERE name = $1;

-- name: by_id
SELECT id, name, profile, profile_text, created_at, user_factor, anchor_number, anchor_hash,
    embedder, embedder_before, sealing, origin
FROM holdfast.space JOIN holdfast.state ON state.space = number WHERE id = $1;

-- name: standing
SELECT sequence, embedder FROM holdfast.state JOIN holdfast.space ON number = space WHERE space = $1;

-- name: all
SELECT id, name, profile, profile_text, created_at, user_factor, anchor_number, anchor_hash,
    embedder, embedder_before, sealing, origin
FROM holdfast.space JOIN holdfast.state ON state.space = number ORDER BY name;

-- name: number
SELECT number FROM holdfast.space WHERE id = $1;

-- name: numbers
SELECT number, id, anchor_number FROM holdfast.space JOIN holdfast.state ON state.space = number ORDER BY id;

-- name: stateless
SELECT id, name FROM holdfast.space WHERE NOT EXISTS (SELECT FROM holdfast.state WHERE state.space = number);

-- name: update
UPDATE holdfast.space SET profile = $2, profile_text = $3, user_factor = $4, embedder = $5, embedder_before = $6
WHERE id = $1 RETURNING id;

-- name: rekey
UPDATE holdfast.space SET sealing = $2 WHERE id = $1 AND sealing = $3 RETURNING id;

-- name: take_turn
INSERT INTO holdfast.turn (space, holder, until) VALUES ($1, $2, now() + make_interval(secs => $3))
ON CONFLICT (space) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE turn.until < now()
RETURNING holder;

-- name: end_turn
DELETE FROM holdfast.turn WHERE space = $1 AND holder = $2 RETURNING holder;

-- name: add_key
INSERT INTO holdfast.key (id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id;

-- name: find_key
SELECT id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest FROM holdfast.key WHERE id = $1;

-- name: all_keys
SELECT id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest
FROM holdfast.key ORDER BY created_at, id;

-- name: revoke_key
UPDATE holdfast.key SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1
RETURNING id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest;

-- name: begin_reply
INSERT INTO holdfast.reply (asked, request, at) VALUES ($1, $2, $3)
ON CONFLICT (asked) DO UPDATE SET request = $2, at = $3 WHERE reply.status = 0 AND reply.at <= $4 RETURNING asked;

-- name: find_reply
SELECT request, at, status, body FROM holdfast.reply WHERE asked = $1;

-- name: finish_reply
UPDATE holdfast.reply SET status = $2, body = $3 WHERE asked = $1 RETURNING asked;

-- name: abandon_reply
DELETE FROM holdfast.reply WHERE asked = $1 AND status = 0 RETURNING asked;

-- name: forget_replies
DELETE FROM holdfast.reply WHERE at < $1 RETURNING asked;
