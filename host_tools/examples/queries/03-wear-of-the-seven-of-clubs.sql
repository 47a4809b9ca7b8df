-- How does the printed code of the seven of clubs wear: its margin by table, batch and week?
-- 255 is a clean reading, 0 is on the brink. "others" is the mean of all other cards in the same week.
WITH weekly AS (
    SELECT "table", batch, date_trunc('week', began AT TIME ZONE 'UTC')::DATE AS week, card = '7♣' AS seven,
        sum(readings) AS readings, min(margin_least) AS least, sum(margin_sum) / sum(readings) AS mean
    FROM 'margins/*.parquet'
    WHERE source = 'cards' AND card <> 'unknown'
    GROUP BY ALL
)
SELECT one."table", one.batch, one.week, one.readings, one.least, round(one.mean, 1) AS mean,
    round(rest.mean, 1) AS others
FROM weekly AS one
LEFT JOIN weekly AS rest
    ON one."table" = rest."table" AND one.batch = rest.batch AND one.week = rest.week AND NOT rest.seven
WHERE one.seven
ORDER BY ALL;
