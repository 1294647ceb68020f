"""How Schemathesis talks to this service, and what it misreads."""

import atexit
import collections
import itertools
import json
import os

import schemathesis
from schemathesis.checks import CHECKS
from schemathesis.core.failures import Failure

from misreadings import MISREADINGS

with open(os.environ["KEYS"], encoding="ascii") as file:
    keys = itertools.cycle(file.read().split())


@schemathesis.auth(refresh_interval=None)
class NextKey:
    """The keys of one account in turn, because what is sent revokes some of them."""

    def get(self, case, context):
        return next(keys)

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.serializer("message/rfc822")
def letter(ctx, value):
    """A letter is the text that it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


answers = collections.Counter()


@schemathesis.hook
def after_call(context, case, response):
    answers[response.status_code] += 1


@atexit.register
def tell_answers():
    with open(os.environ["ANSWERS"], "w", encoding="ascii") as file:
        json.dump(answers, file, sort_keys=True)


def forgiving(name):
    """The check of this name, which is content with what stands in the list."""
    check = CHECKS.get_one(name)
    misread = MISREADINGS[name]

    def forgive(ctx, response, case):
        try:
            return check(ctx, response, case)
        except Failure:
            if any(applies(ctx, case, response) for applies, _reason in misread):
                return None
            raise

    # Under the name of the one that it takes the place of.
    forgive.__name__ = name
    return forgive


for name in MISREADINGS:
    CHECKS.register(forgiving(name))
