-- Which read heads read badly: mean margin, cards that could not be read, and faults?
WITH reads AS (
    SELECT device, "table", head, sum(readings) AS readings, sum(readings) FILTER (card = 'unknown') AS unknown,
        sum(margin_sum) FILTER (card <> 'unknown') / sum(readings) FILTER (card <> 'unknown') AS mean_margin
    FROM 'margins/*.parquet' WHERE source = 'cards' GROUP BY ALL
), faults AS (
    SELECT device, head, count(*) AS faults FROM 'events/*.parquet' WHERE kind = 'fault' GROUP BY ALL
)
SELECT device, "table", head, readings, coalesce(unknown, 0) AS unknown, coalesce(faults, 0) AS faults,
    round(mean_margin, 1) AS mean_margin
FROM reads LEFT JOIN faults USING (device, head)
ORDER BY unknown + coalesce(faults.faults, 0) DESC, mean_margin;
