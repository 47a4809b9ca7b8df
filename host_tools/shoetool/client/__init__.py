"""Talk to one shoe: requests that are carried out once, live records without gaps, fetches that can resume."""
