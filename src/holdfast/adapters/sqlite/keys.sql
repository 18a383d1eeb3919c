-- name: add
INSERT OR IGNORE INTO key (id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING id;

-- name: find
SELECT id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest FROM key WHERE id = ?1;

-- name: all
SELECT id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest
FROM key ORDER BY created_at, id;

-- name: revoke
UPDATE key SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1
RETURNING id, name, role, spaces, created_at, expires_at, revoked_at, salt, digest;

-- name: begin_reply
INSERT INTO reply (asked, request, at) VALUES (?1, ?2, ?3)
ON CONFLICT (asked) DO UPDATE SET request = ?2, at = ?3 WHERE status = 0 AND at <= ?4 RETURNING asked;

-- name: find_reply
SELECT request, at, status, body FROM reply WHERE asked = ?1;

-- name: finish_reply
UPDATE reply SET status = ?2, body = ?3 WHERE asked = ?1;

-- name: abandon_reply
DELETE FROM reply WHERE asked = ?1 AND status = 0;

-- name: forget_replies
DELETE FROM reply WHERE at < ?1 RETURNING asked;
