-- What an office has to do with platforms.
CREATE TABLE portal   (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE send     (id INTEGER PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE parked   (id INTEGER PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE question (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE pairing  (code TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

-- Where messages stand on platforms, looked up from both sides.
CREATE TABLE native (
	portal  TEXT    NOT NULL,
	id      TEXT    NOT NULL,
	channel TEXT    NOT NULL,
	seq     INTEGER NOT NULL,
	value   BLOB    NOT NULL,
	PRIMARY KEY (portal, id)
) WITHOUT ROWID;
CREATE INDEX native_anchor ON native (channel, seq);

CREATE TABLE revision (
	n      INTEGER PRIMARY KEY,
	portal TEXT NOT NULL,
	native TEXT NOT NULL,
	value  BLOB NOT NULL
);
CREATE INDEX revision_native ON revision (portal, native);

-- Logs: written at their end, read by page.
CREATE TABLE usage (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, colleague TEXT NOT NULL, value BLOB NOT NULL);
CREATE TABLE audit (n INTEGER PRIMARY KEY, at INTEGER NOT NULL, value BLOB NOT NULL);
