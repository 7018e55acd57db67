-- When a change came that is kept for a message which may never come, in
-- milliseconds since 1970, UTC; NULL of what a message said before.
ALTER TABLE revision ADD COLUMN early INTEGER;
UPDATE revision SET early = 1000 * unixepoch(json_extract(CAST(value AS TEXT), '$.at'))
	WHERE json_extract(CAST(value AS TEXT), '$.early');
CREATE INDEX revision_early ON revision (early) WHERE early IS NOT NULL;
