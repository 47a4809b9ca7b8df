-- Which rounds cannot be settled, and what is missing?
-- How many findings they have stands beside them. Rounds that are settled are left out.
WITH counted AS (
    SELECT path, round_record AS first_record, count(*) AS findings
    FROM 'findings/*.parquet'
    GROUP BY path, round_record
)
SELECT r.settlement, r."table", count(*) AS rounds, coalesce(sum(c.findings), 0) AS findings
FROM 'rounds/*.parquet' AS r
LEFT JOIN counted AS c ON c.path = r.path AND c.first_record = r.first_record
WHERE r.settlement <> 'settled'
GROUP BY r.settlement, r."table"
ORDER BY r.settlement, r."table";
