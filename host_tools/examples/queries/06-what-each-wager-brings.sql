-- What does each wager bring the house: how often was it placed, what was at risk, and what did the house keep?
-- Only settled rounds, by what was due. A wager or bonus of which that is not known is counted in "not_known".
SELECT wager, count(*) AS wagers, count(*) FILTER (due_cents IS NULL) AS not_known, sum(staked_cents) AS staked_cents,
    -sum(due_cents) AS house_cents
FROM 'settlements/*.parquet'
WHERE outcome IS NOT NULL OR missing IS NOT NULL
GROUP BY wager
ORDER BY wagers DESC, wager;
