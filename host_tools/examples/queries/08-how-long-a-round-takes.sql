-- How long does a round take, by the number of positions with a wager?
-- Seconds from the close of bets to the end of the round; rounds whose times are not known are left out.
SELECT len(seats) AS positions, count(*) AS rounds, median(epoch_ms(ended) - epoch_ms(began)) / 1000 AS median_s,
    max(epoch_ms(ended) - epoch_ms(began)) / 1000 AS longest_s
FROM 'rounds/*.parquet'
WHERE outcome = 'settled' AND began IS NOT NULL AND ended IS NOT NULL
GROUP BY positions
ORDER BY positions;
