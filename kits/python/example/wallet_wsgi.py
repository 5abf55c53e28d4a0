"""The same wallet as a WSGI application, under the standard library's server with a thread for each connection."""

import os
import signal
import threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from settings import PATH, say_listening, wallet_of_environment

from game_aggregator.wsgi import WalletApp


class Server(ThreadingMixIn, WSGIServer):
    request_queue_size = 256


class QuietHandler(WSGIRequestHandler):
    # In seconds. A connection that sends nothing for so long is closed.
    timeout = 10

    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    # wsgiref decodes the path, so the wallet gets the target as an option.
    with Server(("127.0.0.1", int(os.environ["PORT"])), QuietHandler) as server:
        server.set_app(WalletApp(wallet_of_environment(), target=PATH))
        signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
        say_listening(server.server_port)
        server.serve_forever()
