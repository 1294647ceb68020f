"""What checkdmarc says of domains. Arguments: the port of the name server on loopback; domains come as JSON from standard input."""

import json
import sys

import dns.resolver
import checkdmarc.smtp
from checkdmarc.dmarc import check_dmarc
from checkdmarc.smtp import check_mx
from checkdmarc.spf import check_spf

# DNSSEC is asked of the system's resolver, whichever is given: nothing leaves this machine here.
checkdmarc.smtp.check_dnssec = lambda *_, **__: False
checkdmarc.smtp.get_tlsa_records = lambda *_, **__: []

resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers = ["127.0.0.1"]
resolver.port = int(sys.argv[1])


def said(results):
    """Whether the records can be used, and what is wrong with them."""
    error = results.get("error")
    words = list(results.get("warnings") or [])
    return {"usable": error is None, "words": words if error is None else [str(error), *words]}


print(
    json.dumps(
        {
            domain: {
                "spf": said(check_spf(domain, resolver=resolver, timeout=30)),
                "dmarc": said(check_dmarc(domain, resolver=resolver, timeout=30)),
                "mx": said(check_mx(domain, resolver=resolver, timeout=30)),
            }
            for domain in json.load(sys.stdin)
        }
    )
)
