-- Migrations of the catalog, each run once, in order, in a transaction that raises user_version.
-- Never change one that has been released: add another.

-- name: 1 the first schema
CREATE TABLE space (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    profile_text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    anchor_number INTEGER NOT NULL DEFAULT 0,
    anchor_hash TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- name: 2 how quickly the people of a space forget
ALTER TABLE space ADD COLUMN user_factor REAL NOT NULL DEFAULT 1.0;

-- name: 3 which embedder's vectors are compared, and which one's were before (B7)
ALTER TABLE space ADD COLUMN embedder TEXT NOT NULL DEFAULT '';
ALTER TABLE space ADD COLUMN embedder_before TEXT NOT NULL DEFAULT '';

-- name: 4 the key of what a space has sealed, wrapped by the master key (E14)
ALTER TABLE space ADD COLUMN sealing TEXT NOT NULL DEFAULT '';

-- name: 5 the id under which the ledger of a copied space began (B8)
ALTER TABLE space ADD COLUMN origin TEXT NOT NULL DEFAULT '';
