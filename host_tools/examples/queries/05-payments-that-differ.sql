-- Which payments differ from what was due, and by how much?
-- A payment may be for several wagers, so each is taken once. What a row lacks to be compared is in "missing".
SELECT DISTINCT path, shoe, round, line, position, payment, paid_for_cents AS due_cents, paid_cents,
    paid_cents - paid_for_cents AS over_cents
FROM 'settlements/*.parquet'
WHERE paid_cents <> paid_for_cents
ORDER BY abs(over_cents) DESC, path, round, payment;
