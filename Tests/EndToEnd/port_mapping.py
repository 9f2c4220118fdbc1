"""A port that forwards connections to another one, as a container's published port does."""

import asyncio
import contextlib
import threading


async def copy(reader, writer):
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.close()


@contextlib.contextmanager
def published(port):
    """Forwards a free port of the loopback interface to `port`, and yields its number."""

    async def forward(reader, writer):
        inner = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(copy(reader, inner[1]), copy(inner[0], writer))

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(forward, "127.0.0.1", 0), loop).result()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
