-- How many cards lay behind the cover card of each batch, and was that a quarter of the batch, 633a.5(d)?
-- A batch whose cards were not counted, since the history begins later, is left out.
WITH covers AS (
    SELECT path, shoe, "table", head, time, (more->>'$.loaded')::INT AS loaded, (more->>'$.behind')::INT AS behind
    FROM 'events/*.parquet'
    WHERE kind = 'cover_card'
)
SELECT *, 4 * behind >= loaded AS a_quarter
FROM covers
WHERE behind IS NOT NULL AND loaded > 0
ORDER BY behind / loaded, path, head;
