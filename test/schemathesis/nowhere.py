"""A DNS server on loopback for which no name exists (RFC 1035 section 4.1.1, RCODE 3) but known.example, which takes no mail."""

import socket
import sys

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", int(sys.argv[1])))
while True:
    query, client = server.recvfrom(4096)
    end = query.find(b"\0", 12) + 5
    known = query[12 : end - 4].lower() == b"\5known\7example\0"
    # MX 0 . of the question's name, for a minute (RFC 7505).
    null_mx = b"\xc0\x0c\0\x0f\0\1\0\0\0\x3c\0\3\0\0\0" if known else b""
    header = query[:2] + bytes([0x81, 0x80 if known else 0x83, 0, 1, 0, int(known), 0, 0, 0, 0])
    server.sendto(header + query[12:end] + null_mx, client)
