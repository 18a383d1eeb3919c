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
