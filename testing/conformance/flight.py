"""A stream of Arrow IPC over Flight SQL, as it is: each message goes into one `FlightData`, whose metadata and body are those bytes.

Reads only the lengths of each message and its body. The client reads the rest.
"""

import struct
from concurrent import futures

import grpc

CONTINUATION = 0xFFFFFFFF
# `Message.bodyLength`: the fourth field of the table. `FlightData`: `data_header`, `data_body`. `FlightInfo.endpoint.ticket.ticket`.
BODY_LENGTH_SLOT = 4 + 2 * 3
DATA_HEADER, DATA_BODY = 2, 1000
ENDPOINT, TICKET = 3, 1


class NoMessages(Exception):
    """Bytes that are not a sequence of whole messages, so that none can be sent."""


def messages(content):
    """The metadata and the body of each message, up to the end of the stream."""

    def number(form, source, at):
        try:
            return struct.unpack_from(form, source, at)[0]
        except struct.error:
            raise NoMessages(f"there is no whole number at byte {at}") from None

    def cut(at, n_bytes):
        if n_bytes < 0 or n_bytes > len(content) - at:
            raise NoMessages(f"{n_bytes} bytes at byte {at} are not there")
        return content[at : at + n_bytes], at + n_bytes

    at = 0
    while at < len(content):
        n_bytes, at = number("<I", content, at), at + 4
        if n_bytes == CONTINUATION:
            n_bytes, at = number("<I", content, at), at + 4
        if n_bytes == 0:
            return
        metadata, at = cut(at, n_bytes)
        table = number("<I", metadata, 0)
        slots = table - number("<i", metadata, table)
        if slots < 0:
            raise NoMessages(f"a table at byte {slots} of a message")
        is_there = number("<H", metadata, slots) > BODY_LENGTH_SLOT
        place = number("<H", metadata, slots + BODY_LENGTH_SLOT) if is_there else 0
        body, at = cut(at, number("<q", metadata, table + place) if place else 0)
        yield metadata, body


def field(number, content):
    """A field of a Protobuf message with bytes, or with another message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(number):
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


class Handlers(grpc.GenericRpcHandler):
    """The two calls that a query needs; each query has the same stream as its result."""

    def __init__(self, content):
        self.data = [field(DATA_HEADER, metadata) + field(DATA_BODY, body) for metadata, body in messages(content)]

    def service(self, call):
        name = call.method.rpartition("/")[2]
        if name == "GetFlightInfo":
            return grpc.unary_unary_rpc_method_handler(self.info)
        if name == "DoGet":
            return grpc.unary_stream_rpc_method_handler(lambda _request, _context: iter(self.data))
        return None

    def info(self, request, context):
        if b"CommandGetSqlInfo" in request:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "no information about the server")
        return field(ENDPOINT, field(TICKET, field(1, b"all")))


def serve(content):
    """A server, and the address of it."""
    server = grpc.server(futures.ThreadPoolExecutor(2), handlers=[Handlers(content)], options=[("grpc.max_send_message_length", -1)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, f"grpc://127.0.0.1:{port}"
