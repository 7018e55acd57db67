-- What is old leaves the record from its oldest end.
CREATE INDEX seen_at ON seen (at);
