-- How many findings under 633a.14 (irregularities) and its like in other chapters were there in each week?
-- Weeks begin on Monday, UTC. A finding whose time is not known has no week.
SELECT date_trunc('week', began AT TIME ZONE 'UTC')::DATE AS week, clause, verdict, count(*) AS findings
FROM 'findings/*.parquet'
WHERE regexp_matches(clause, '^(633a\.14|590\.13|635a\.13)\(')
GROUP BY ALL
ORDER BY week NULLS LAST, clause, verdict;
