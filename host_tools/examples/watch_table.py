"""Watch one table of `shoetool serve`, and print each card as it comes.

    python watch_table.py ws://127.0.0.1:8633 7 TOKEN

It takes the package `websockets`. After a lost connection it goes on; the first message then is the table as it is.
"""

import asyncio
import json
import sys

from websockets.asyncio.client import connect


async def watch(server: str, table: str, token: str) -> None:
    """Print what happens, for ever."""
    async for socket in connect(f"{server}/ws/{table}"):
        try:
            await socket.send(json.dumps({"token": token}))
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "record":
                    print(message["record"]["record"], message["sentence"], flush=True)
                elif message["missed"]:
                    print(f"{message['missed']} messages were missed; the table is as it is now", flush=True)
        except OSError:
            continue


asyncio.run(watch(*sys.argv[1:4]))
