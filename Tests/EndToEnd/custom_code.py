"""Custom code beside the cloud, like the service's container: it receives the calls of a custom API and calls the platform back with the
credentials in them, as the custom code SDK does."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests


class CustomCode:
    """A server whose `routes`, by method and path, take a `Call` and return status and body, and optionally headers."""

    def __init__(self, cloud):
        self.cloud, self.routes, self.calls = cloud, {}, []
        code = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                call = Call(code.cloud, self.command, self.path, self.headers, body)
                code.calls.append(call)
                route = code.routes.get((self.command, self.path.partition("?")[0]))
                status, content, fields = (route(call) + ({},))[:3] if route else (404, {"error": "no route"}, {})
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in ({"Content-Type": "application/json"} | fields).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def route(self, method, path):
        def add(function):
            self.routes[method, path] = function
            return function

        return add

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *exception):
        self.server.shutdown()
        self.server.server_close()


class Call:
    """A call of the custom API, with access to the platform."""

    def __init__(self, cloud, method, target, headers, body):
        self.cloud, self.method, self.target, self.headers, self.body = cloud, method, target, headers, body

    def platform(self, method, path, body=None, **headers):
        """Calls the platform as `req.oracleMobile` does, with the `Authorization` of the call and the backend."""
        fields = {"Authorization": self.headers["Authorization"], "Oracle-Mobile-Backend-ID": self.headers["Oracle-Mobile-Backend-ID"]}
        return requests.request(method, self.cloud.url + path, json=body, headers=fields | headers)
