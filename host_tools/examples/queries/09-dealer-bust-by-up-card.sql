-- How often does the dealer bust with each up card?
-- Only rounds in which the hole card was turned, so that his count is known.
SELECT regexp_replace(dealer_cards[1], '[♣♦♥♠]', '') AS up_card, count(*) AS rounds,
    count(*) FILTER (dealer_total > 21) AS busts
FROM 'rounds/*.parquet'
WHERE outcome = 'settled' AND revealed AND dealer_total IS NOT NULL
GROUP BY up_card
ORDER BY up_card;
