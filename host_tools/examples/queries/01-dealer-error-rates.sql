-- How often does each dealer of each table err: breaches and irregularities for 100 rounds?
-- A history names no people: the dealers of a shoe are counted. Who dealt when stands in the house's roster.
WITH erred AS (
    SELECT r."table", r.dealer
    FROM 'findings/*.parquet' AS f
    JOIN 'rounds/*.parquet' AS r ON r.path = f.path AND r.first_record = f.round_record
    WHERE f.verdict IN ('breach', 'irregularity handled')
), errors AS (
    SELECT "table", dealer, count(*) AS errors FROM erred GROUP BY "table", dealer
), dealt AS (
    SELECT "table", dealer, count(*) AS rounds FROM 'rounds/*.parquet' GROUP BY "table", dealer
)
SELECT d."table", d.dealer, d.rounds, coalesce(e.errors, 0) AS errors,
    round(100 * coalesce(e.errors, 0) / d.rounds, 2) AS per_100
FROM dealt AS d
LEFT JOIN errors AS e ON e."table" = d."table" AND e.dealer IS NOT DISTINCT FROM d.dealer
ORDER BY per_100 DESC, d."table", d.dealer;
