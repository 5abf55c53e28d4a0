"""A wallet with FastAPI under uvicorn. README.md names the environment variables."""

import os
import socket

import uvicorn
from fastapi import FastAPI
from settings import PATH, say_listening, wallet_of_environment
from starlette.routing import Route

from game_aggregator.asgi import WalletApp

app = FastAPI()
app.router.routes.append(Route(PATH, WalletApp(wallet_of_environment())))


class Server(uvicorn.Server):
    """Prints its address when it listens."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        say_listening(self.servers[0].sockets[0].getsockname()[1])


if __name__ == "__main__":
    # Each server of the service makes up to 64 calls at once.
    config = uvicorn.Config(app, host="127.0.0.1", port=int(os.environ["PORT"]), backlog=256, log_level="warning")
    Server(config).run()
