"""A DNS server on loopback for which no name exists (RFC 1035 section 4.1.1, RCODE 3)."""

import socket
import sys

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", int(sys.argv[1])))
while True:
    query, client = server.recvfrom(4096)
    end = query.find(b"\0", 12) + 5
    header = query[:2] + bytes([0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0])
    server.sendto(header + query[12:end], client)
