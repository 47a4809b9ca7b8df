"""One process owns the lines of shoes, and many watch them: WebSocket and HTTP, a page for browsers, webhooks.

`line` reads a shoe in a thread, `hub` hands what happens to everybody who watches, `app` is the web side of it.
"""
