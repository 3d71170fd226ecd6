-- Continuous profiles of many machines in DuckDB (1.1 or later).
--
--   causal db export --format=csv -o tables DB
--   duckdb fleet.duckdb -c "SET VARIABLE causal_export = 'tables'" -c ".read duckdb.sql"
--
-- Makes the tables if they are missing, and brings the export in. Doing so again changes
-- nothing: what an export says of a machine and a time takes the place of what was there.

BEGIN;

CREATE SEQUENCE IF NOT EXISTS image_id;
CREATE TABLE IF NOT EXISTS image (
  id BIGINT PRIMARY KEY DEFAULT nextval('image_id'),
  build_id VARCHAR NOT NULL, -- Empty: the image has none, and is known by its path.
  path VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS epoch (
  host VARCHAR NOT NULL, epoch VARCHAR NOT NULL,
  first_second BIGINT NOT NULL, last_second BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS sample (
  host VARCHAR NOT NULL, epoch VARCHAR NOT NULL, image BIGINT NOT NULL,
  event VARCHAR NOT NULL, period BIGINT NOT NULL,
  address BIGINT NOT NULL, -- In the ELF file; -1: given up to save space.
  samples BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS total (
  host VARCHAR NOT NULL, epoch VARCHAR NOT NULL, event VARCHAR NOT NULL,
  period BIGINT NOT NULL, samples BIGINT NOT NULL, dropped BIGINT NOT NULL,
  unmapped BIGINT NOT NULL, processes BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS place (
  image BIGINT NOT NULL, address BIGINT NOT NULL,
  "function" VARCHAR NOT NULL, file VARCHAR NOT NULL, line BIGINT NOT NULL,
  PRIMARY KEY (image, address));

CREATE OR REPLACE TEMP TABLE new_epoch AS
  SELECT * FROM read_csv(getvariable('causal_export') || '/epochs.csv', header = true,
    columns = {'host': 'VARCHAR', 'epoch': 'VARCHAR', 'first_second': 'BIGINT',
               'last_second': 'BIGINT'});
CREATE OR REPLACE TEMP TABLE new_image AS
  SELECT image, coalesce(build_id, '') AS build_id, coalesce(path, '') AS path
  FROM read_csv(getvariable('causal_export') || '/images.csv', header = true,
    columns = {'image': 'BIGINT', 'build_id': 'VARCHAR', 'path': 'VARCHAR'});

INSERT INTO image (build_id, path)
  SELECT build_id, path FROM new_image n
  WHERE NOT EXISTS (SELECT 1 FROM image i WHERE i.build_id = n.build_id
                    AND (n.build_id <> '' OR i.path = n.path));
CREATE OR REPLACE TEMP TABLE number AS
  SELECT n.image, min(i.id) AS id
  FROM new_image n JOIN image i
    ON i.build_id = n.build_id AND (n.build_id <> '' OR i.path = n.path)
  GROUP BY n.image;

-- An epoch also takes the place of shorter ones of its time, which it was made of.
CREATE OR REPLACE TEMP TABLE replaced AS
  SELECT DISTINCT o.host, o.epoch FROM epoch o JOIN new_epoch n
    ON o.host = n.host AND o.first_second >= n.first_second AND o.last_second <= n.last_second;
DELETE FROM sample WHERE (host, epoch) IN (SELECT host, epoch FROM replaced);
DELETE FROM total WHERE (host, epoch) IN (SELECT host, epoch FROM replaced);
DELETE FROM epoch WHERE (host, epoch) IN (SELECT host, epoch FROM replaced);

INSERT INTO epoch SELECT * FROM new_epoch;
INSERT INTO sample
  SELECT s.host, s.epoch, n.id, s.event, s.period, s.address, s.samples
  FROM read_csv(getvariable('causal_export') || '/samples.csv', header = true,
    columns = {'host': 'VARCHAR', 'epoch': 'VARCHAR', 'image': 'BIGINT', 'event': 'VARCHAR',
               'period': 'BIGINT', 'address': 'BIGINT', 'samples': 'BIGINT'}) s
  JOIN number n USING (image);
INSERT INTO total
  SELECT * FROM read_csv(getvariable('causal_export') || '/totals.csv', header = true,
    columns = {'host': 'VARCHAR', 'epoch': 'VARCHAR', 'event': 'VARCHAR', 'period': 'BIGINT',
               'samples': 'BIGINT', 'dropped': 'BIGINT', 'unmapped': 'BIGINT',
               'processes': 'BIGINT'});
INSERT OR REPLACE INTO place
  SELECT n.id, p.address, coalesce(p."function", ''), coalesce(p.file, ''), p.line
  FROM read_csv(getvariable('causal_export') || '/places.csv', header = true,
    columns = {'image': 'BIGINT', 'address': 'BIGINT', 'function': 'VARCHAR',
               'file': 'VARCHAR', 'line': 'BIGINT'}) p
  JOIN number n USING (image);

-- Where the time goes: by function, by image, and on which machines. time_ns is null for
-- events that are no time.
CREATE OR REPLACE VIEW prof AS
  SELECT s.event, i.path, coalesce(p."function", '?') AS "function",
         sum(s.samples) AS samples,
         sum(CASE WHEN s.event = 'cpu' THEN s.samples::HUGEINT * s.period END) AS time_ns
  FROM sample s JOIN image i ON i.id = s.image
  LEFT JOIN place p ON p.image = s.image AND p.address = s.address
  GROUP BY ALL;
CREATE OR REPLACE VIEW image_prof AS
  SELECT s.event, i.build_id, i.path, sum(s.samples) AS samples
  FROM sample s JOIN image i ON i.id = s.image GROUP BY ALL;
CREATE OR REPLACE VIEW host_prof AS
  SELECT event, host, epoch, sum(samples) AS samples FROM sample GROUP BY ALL;
-- What was dropped belongs to every sum: samples = in_images + dropped + unmapped.
CREATE OR REPLACE VIEW fleet_total AS
  SELECT t.event, sum(t.samples) AS samples, sum(t.dropped) AS dropped,
         sum(t.unmapped) AS unmapped, sum(t.processes) AS processes,
         (SELECT sum(s.samples) FROM sample s WHERE s.event = t.event) AS in_images
  FROM total t GROUP BY t.event;

COMMIT;
