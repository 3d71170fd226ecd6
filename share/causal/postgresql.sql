-- Continuous profiles of many machines in PostgreSQL (15 or later).
--
--   causal db export --format=csv -o tables DB
--   CAUSAL_EXPORT=tables psql -v ON_ERROR_STOP=1 -f postgresql.sql DATABASE
--
-- Makes the tables if they are missing, and brings the export in. Doing so again changes
-- nothing: what an export says of a machine and a time takes the place of what was there.

BEGIN;
SET LOCAL client_min_messages = warning;
-- Two imports at once would both make an image.
SELECT pg_advisory_xact_lock(hashtext('causal import'));

CREATE TABLE IF NOT EXISTS image (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  build_id text NOT NULL, -- Empty: the image has none, and is known by its path.
  path text NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS image_by_id ON image (build_id) WHERE build_id <> '';
CREATE UNIQUE INDEX IF NOT EXISTS image_by_path ON image (path) WHERE build_id = '';
CREATE TABLE IF NOT EXISTS epoch (
  host text, epoch text, first_second bigint NOT NULL, last_second bigint NOT NULL,
  PRIMARY KEY (host, epoch));
CREATE TABLE IF NOT EXISTS sample (
  host text, epoch text, image bigint REFERENCES image, event text, period bigint,
  address bigint, -- In the ELF file; -1: given up to save space.
  samples bigint NOT NULL,
  PRIMARY KEY (host, epoch, image, event, period, address));
CREATE TABLE IF NOT EXISTS total (
  host text, epoch text, event text, period bigint, samples bigint NOT NULL,
  dropped bigint NOT NULL, unmapped bigint NOT NULL, processes bigint NOT NULL,
  PRIMARY KEY (host, epoch, event, period));
CREATE TABLE IF NOT EXISTS place (
  image bigint REFERENCES image, address bigint, function text NOT NULL,
  file text NOT NULL, line bigint NOT NULL, PRIMARY KEY (image, address));

CREATE TEMP TABLE new_epoch (host text, epoch text, first_second bigint, last_second bigint)
  ON COMMIT DROP;
CREATE TEMP TABLE new_image (image bigint, build_id text, path text) ON COMMIT DROP;
CREATE TEMP TABLE new_sample (host text, epoch text, image bigint, event text, period bigint,
  address bigint, samples bigint) ON COMMIT DROP;
CREATE TEMP TABLE new_total (LIKE total) ON COMMIT DROP;
CREATE TEMP TABLE new_place (image bigint, address bigint, function text, file text, line bigint)
  ON COMMIT DROP;
\copy new_epoch FROM PROGRAM 'cat "$CAUSAL_EXPORT/epochs.csv"' WITH (FORMAT csv, HEADER)
\copy new_image FROM PROGRAM 'cat "$CAUSAL_EXPORT/images.csv"' WITH (FORMAT csv, HEADER)
\copy new_sample FROM PROGRAM 'cat "$CAUSAL_EXPORT/samples.csv"' WITH (FORMAT csv, HEADER)
\copy new_total FROM PROGRAM 'cat "$CAUSAL_EXPORT/totals.csv"' WITH (FORMAT csv, HEADER)
\copy new_place FROM PROGRAM 'cat "$CAUSAL_EXPORT/places.csv"' WITH (FORMAT csv, HEADER)

INSERT INTO image (build_id, path)
  SELECT build_id, path FROM new_image ON CONFLICT DO NOTHING;
CREATE TEMP TABLE number ON COMMIT DROP AS
  SELECT n.image, i.id FROM new_image n JOIN image i
    ON i.build_id = n.build_id AND (n.build_id <> '' OR i.path = n.path);

-- An epoch also takes the place of shorter ones of its time, which it was made of.
CREATE TEMP TABLE replaced ON COMMIT DROP AS
  SELECT DISTINCT o.host, o.epoch FROM epoch o JOIN new_epoch n
    ON o.host = n.host AND o.first_second >= n.first_second AND o.last_second <= n.last_second;
DELETE FROM sample s USING replaced r WHERE s.host = r.host AND s.epoch = r.epoch;
DELETE FROM total t USING replaced r WHERE t.host = r.host AND t.epoch = r.epoch;
DELETE FROM epoch e USING replaced r WHERE e.host = r.host AND e.epoch = r.epoch;

INSERT INTO epoch SELECT * FROM new_epoch;
INSERT INTO sample
  SELECT s.host, s.epoch, n.id, s.event, s.period, s.address, s.samples
  FROM new_sample s JOIN number n USING (image);
INSERT INTO total SELECT * FROM new_total;
INSERT INTO place
  SELECT n.id, p.address, p.function, p.file, p.line FROM new_place p JOIN number n USING (image)
  ON CONFLICT (image, address) DO UPDATE
    SET function = excluded.function, file = excluded.file, line = excluded.line;

-- Where the time goes: by function, by image, and on which machines. time_ns is null for
-- events that are no time.
CREATE OR REPLACE VIEW prof AS
  SELECT s.event, i.path, coalesce(p.function, '?') AS function, sum(s.samples) AS samples,
         sum(CASE WHEN s.event = 'cpu' THEN s.samples::numeric * s.period END) AS time_ns
  FROM sample s JOIN image i ON i.id = s.image
  LEFT JOIN place p ON p.image = s.image AND p.address = s.address
  GROUP BY s.event, i.path, coalesce(p.function, '?');
CREATE OR REPLACE VIEW image_prof AS
  SELECT s.event, i.build_id, i.path, sum(s.samples) AS samples
  FROM sample s JOIN image i ON i.id = s.image GROUP BY s.event, i.build_id, i.path;
CREATE OR REPLACE VIEW host_prof AS
  SELECT event, host, epoch, sum(samples) AS samples FROM sample GROUP BY event, host, epoch;
-- What was dropped belongs to every sum: samples = in_images + dropped + unmapped.
CREATE OR REPLACE VIEW fleet_total AS
  SELECT t.event, sum(t.samples) AS samples, sum(t.dropped) AS dropped,
         sum(t.unmapped) AS unmapped, sum(t.processes) AS processes,
         (SELECT sum(s.samples) FROM sample s WHERE s.event = t.event) AS in_images
  FROM total t GROUP BY t.event;

COMMIT;
