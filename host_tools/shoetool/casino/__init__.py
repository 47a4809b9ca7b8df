"""A casino of shoes: many histories verified on many cores or machines, and their results as tables.

The way of the data: `paths` finds the histories. `judged` verifies one of them in a worker; for `export`, `play_rows`
and `wager_rows` note meanwhile what was dealt and settled. `workers` are processes of this machine or a Dask cluster.
`run` hands out the work and collects it, `state` remembers what is done, and `results` writes Parquet, column by column
as `tables` has it. In the end `follow` says how the histories of each device follow one another.
"""
