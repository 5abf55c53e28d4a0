"""A receiver of traces by OTLP over HTTP, with OpenTelemetry's own protobuf classes for Python.

It prints its port, and then each span as a line of JSON.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status


def values(attributes):
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}


def unknown(message):
    """The number of fields that these classes do not know, in the message and in all messages inside it."""
    inner = []
    for field, value in message.ListFields():
        if field.message_type is not None:
            inner += value if field.is_repeated else [value]
    return len(UnknownFieldSet(message)) + sum(unknown(one) for one in inner)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        if self.path != "/v1/traces" or self.headers["content-type"] != "application/x-protobuf":
            self.send_error(400)
            return
        request = ExportTraceServiceRequest.FromString(self.body())
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    line = {
                        "traceId": span.trace_id.hex(),
                        "spanId": span.span_id.hex(),
                        "parentId": span.parent_span_id.hex(),
                        "name": span.name,
                        "kind": Span.SpanKind.Name(span.kind),
                        "failed": span.status.code == Status.STATUS_CODE_ERROR,
                        "startNano": str(span.start_time_unix_nano),
                        "endNano": str(span.end_time_unix_nano),
                        "attributes": values(span.attributes),
                        "resource": values(resource.resource.attributes),
                        "unknownFields": unknown(request),
                    }
                    print(json.dumps(line), flush=True)
        body = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        if self.headers["transfer-encoding"] != "chunked":
            return self.rfile.read(int(self.headers["content-length"]))
        read = b""
        while size := int(self.rfile.readline(), 16):
            read += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return read

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
