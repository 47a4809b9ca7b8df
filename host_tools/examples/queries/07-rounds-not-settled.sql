-- Which rounds cannot be settled, and what is missing?
-- How many findings they have stands beside them. Rounds that are settled are left out.
-- A finding names its round by number. Where a file holds several shoes, the round nearest to its records is meant.
WITH named AS (
    SELECT f.path, f.number, r.first_record
    FROM 'findings/*.parquet' AS f
    JOIN 'rounds/*.parquet' AS r ON r.path = f.path AND r.round = f.round
    QUALIFY row_number() OVER (PARTITION BY f.path, f.number ORDER BY abs(r.first_record - f.records[1])) = 1
), counted AS (
    SELECT path, first_record, count(*) AS findings FROM named GROUP BY path, first_record
)
SELECT r.settlement, r."table", count(*) AS rounds, coalesce(sum(c.findings), 0) AS findings
FROM 'rounds/*.parquet' AS r
LEFT JOIN counted AS c ON c.path = r.path AND c.first_record = r.first_record
WHERE r.settlement <> 'settled'
GROUP BY r.settlement, r."table"
ORDER BY r.settlement, r."table";
