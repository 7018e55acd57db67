-- One row: where the record stands, and the counters beside it so that a
-- commit, which always moves both, touches one page for them.
CREATE TABLE office (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	fence INTEGER NOT NULL,
	nonce TEXT    NOT NULL,
	n     INTEGER NOT NULL,
	id    TEXT    NOT NULL,
	meta  BLOB    NOT NULL
);
INSERT INTO office VALUES (1, 0, '', 0, '', '{}');

-- value is the row's JSON; a column exists only where a query needs it, and
-- for long text, which is kept as the bytes it is.
CREATE TABLE colleague (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE person    (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE channel   (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE cursor    (viewer TEXT PRIMARY KEY, no INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE message (
	no      INTEGER PRIMARY KEY,
	channel TEXT    NOT NULL,
	seq     INTEGER NOT NULL,
	root    INTEGER NOT NULL,
	author  TEXT    NOT NULL,
	at      INTEGER NOT NULL, -- milliseconds since 1970, UTC
	value   BLOB    NOT NULL,
	text    BLOB    NOT NULL
);
CREATE UNIQUE INDEX message_anchor ON message (channel, seq);
CREATE INDEX message_channel ON message (channel, no);
CREATE INDEX message_thread ON message (channel, root) WHERE root > 0;

CREATE TABLE seen (
	event   TEXT PRIMARY KEY,
	channel TEXT    NOT NULL,
	seq     INTEGER NOT NULL,
	at      INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE item (
	id      INTEGER PRIMARY KEY,
	channel TEXT    NOT NULL,
	seq     INTEGER NOT NULL,
	value   BLOB    NOT NULL
);

-- Open turns are few and read at every start; closed ones only grow.
CREATE TABLE turn (id INTEGER PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE closed_turn (id INTEGER PRIMARY KEY, colleague TEXT NOT NULL, value BLOB NOT NULL);

CREATE TABLE entry (
	colleague TEXT    NOT NULL,
	person    TEXT    NOT NULL,
	n         INTEGER NOT NULL,
	value     BLOB    NOT NULL,
	text      BLOB    NOT NULL,
	PRIMARY KEY (colleague, person, n)
) WITHOUT ROWID;
