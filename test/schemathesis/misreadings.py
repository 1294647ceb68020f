"""What Schemathesis takes for a failure and is none: by its check, when that is, and the reason."""

import json
import re

TEXT_TYPES = {"text/csv", "text/plain", "application/x-ndjson"}


def code(name):
    """The service refused with this code."""
    return lambda ctx, case, response: body_of(response).get("code") == name


FIELDS = []


def fields(pattern):
    """The service refused a field of which it says this, and no other but such as are in this list too."""
    FIELDS.append(pattern)

    def applies(ctx, case, response):
        errors = [error["error"] for error in body_of(response).get("fields", [])]
        return any(re.search(pattern, error) for error in errors) and all(
            any(re.search(known, error) for known in FIELDS) for error in errors
        )

    return applies


def in_text_or_form(refused):
    sent = TEXT_TYPES | {"multipart/form-data"}
    return lambda ctx, case, response: case.media_type in sent and refused(ctx, case, response)


def names_prototype(ctx, case, response):
    return code("malformed_json")(ctx, case, response) and re.search('"(__proto__|constructor)"', json.dumps(case.body))


def blank_body(ctx, case, response):
    return not (response.request.body or b"").strip()


def null_body(ctx, case, response):
    return response.request.body in (b"null", "null")


def media_type(types):
    return lambda ctx, case, response: case.media_type in types


def made_before(ctx, case, response):
    """What was asked for came from a replay, which tells of a thing that may be gone since."""
    parent = ctx.internals.find_parent(case_id=case.id)
    made = parent and ctx.internals.find_response(case_id=parent.id)
    return made is not None and "idempotent-replayed" in made.headers


def of_cancelled_batch(ctx, case, response):
    body = body_of(response)
    is_cancelled = body.get("data", body).get("status") == "cancelled"
    return "/batch/{id}" in case.operation.path and (is_cancelled or not body)


def of_events(ctx, case, response):
    return case.operation.path.endswith("/events")


def of_fixed_name(ctx, case, response):
    return case.operation.path in {"/admin/v1/keys/lookup"}


def body_of(response):
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


MISREADINGS = {
    # What a schema allows and the service refuses.
    "positive_data_acceptance": [
        (code("idempotency_key_reused"), "Schemathesis sends one Idempotency-Key with several bodies."),
        (fields("^cursor is not one of this listing$"), "Only a cursor that the service gave is one."),
        (fields("must not contain NUL"), "PostgreSQL keeps every character but NUL."),
        (fields("^mode must be (live|test) with this key"), "Which mode a key may name depends on the key."),
        (fields("must be a time such as"), "RFC 3339 has offsets of up to 23 hours, and no clock on earth has more than 14."),
        (fields("must be a time that lies ahead"), "A schema knows no clock."),
        (fields("^(webhook_)?url (must|may) "), "Whether a URL is one to be told of events at depends on its host, port and address."),
        (in_text_or_form(code("invalid_input")), "What stands in a text or a file is no matter of a schema."),
        (in_text_or_form(code("unsupported_media_type")), "The file in a form has a type of its own."),
        (names_prototype, "A member that would change what an object is (`__proto__`) makes the JSON unacceptable."),
        (fields("^people.* has no (name|domain)"), "Spaces are no name; either of two names is needed."),
        (fields("^(full|first)_name must have letters"), "Which characters are letters is a table of Unicode."),
        (fields("^domain must be a domain"), "JSON Schema has no format for an address, a web address or a domain."),
        (fields("^targets\\[\\d+\\] "), "JSON Schema has no format for an address or a domain, and none for those that are public."),
        (fields("^lists\\[\\d+\\] "), "Which lists there are is told by their own route."),
        (fields("^(sheet|delimiter) is for .*, and this is an? "), "Which settings belong to a table depends on what its bytes are."),
        (fields("^(full_name or first_name and last_name must be given|(first|last)_name is missing)"), "Either of two: clients are generated better without `anyOf`."),
        (fields("must be an IP address or a network"), "JSON Schema has a format for each, and none for a network."),
        (fields("email, emails or sha256 must be given"), "Any one of three members: clients are generated better without `anyOf`."),
        (fields("^contact must be an email address or a URL"), "JSON Schema has a format for each: clients are generated better without `anyOf`."),
        (fields("^events must not be empty$"), "Only an endpoint that a batch made has no events."),
        (code("ceiling_reached"), "What a call may cost at most is the caller's own choice, and a schema knows no prices."),
        (fields("^((fields|bom|formula_guard) needs format=csv( or zip|, xlsx or zip)|(limit|cursor) needs format=json)$"), "One parameter needs another."),
        (fields("is not allowed for an admin key, which spends no credits$"), "What a key may have depends on its kind, which the path alone names."),
        (fields("must be (all, or )?a comma list of"), "A comma list of known names is a text to a schema that clients are generated from."),
        (fields("^from must (be at most|not lie after)"), "Two times belong together."),
        (fields("must be a day such as"), "RFC 3339 has days of every year, and no account is a thousand years old."),
        (fields("^(claim_token or agent_key|emails or count) must be there"), "Either of two: clients are generated better without `anyOf`."),
        (fields("^retention_days must be a whole number"), "How long batches are kept at most depends on the account's plan."),
        (fields("^plan must be one of"), "An agent's account has no plan, and its id alone names it."),
        (fields("^permissions of this key are of"), "Which permissions a key can have depends on its kind."),
        (fields("^sending_addresses\\[\\d+\\] must be a public IP address"), "JSON Schema has no format for an address of either family, and none for those that are public."),
        (fields("^target must be"), "Whether a target must be a domain or an address is told by `kind`; a schema has no format for either."),
        (fields("^(checks must be blacklists for an address|(dkim_selectors|sending_addresses) belong to a domain)"), "What a monitor may look at is told by `kind`: clients are generated better without `anyOf`."),
        (fields("^region is that of the account"), "A claimed agent works where its account does."),
        (fields("^provider must be one of|^host is (needed for the provider|no public address)"), "Which providers there are and what each needs is told by an installation."),
        (fields("^email must have at most \\d+ characters before its @"), "JSON Schema has no bound for a part of a text."),
        (fields("^region must be (null|one of)"), "Which regions there are is told by the sources and workers of an installation."),
        (fields("^security none is for servers on loopback"), "Whether a login may go in clear depends on where the server is."),
        (fields("^authserv_id must be|^host must be"), "JSON Schema has no format for what servers call themselves."),
        (fields("^(refresh_token is not used beside a password|password or a refresh_token is needed|(token_url|client_id) is needed with)"), "Either of two: clients are generated better without `anyOf`."),
        (fields("must be a domain below a public suffix"), "Which names are public suffixes is told by a list, and no schema."),
        (media_type({"message/rfc822"}), "What stands in a letter is no matter of a schema."),
        (fields("must be an address$"), "The format `email` of JSON Schema is wider than what can be an address."),
    ],
    # Replies that are not as their schema says.
    "response_schema_conformance": [
        (of_events, "The schema is that of the whole text, and Schemathesis holds each event against it."),
    ],
    # Methods that the header Allow names and the document does not.
    "allow_header_conformance": [
        (of_fixed_name, "The path stands for an id too, whose methods answer there (404)."),
    ],
    # What was made and is not there.
    "ensure_resource_availability": [
        (made_before, "Schemathesis sends one Idempotency-Key again after it has deleted what the first request made."),
    ],
    # What was deleted and is still there.
    "use_after_free": [
        (of_cancelled_batch, "DELETE cancels a batch that runs; what it had answered by then can still be read."),
    ],
    # What a schema forbids and the service takes.
    "negative_data_rejection": [
        (media_type(TEXT_TYPES), "Every text is a list of addresses, one a line."),
        (media_type({"message/rfc822"}), "Every text with a header is a letter."),
        (media_type({"multipart/form-data"}), "Every field of a form is text: a form has no other type."),
        (blank_body, "White space alone is no body, and the route needs none."),
        (null_body, "A null leaves out every member, and the route needs none."),
        (code("body_too_large"), "What has too long a text may be too large as a whole, which is seen first."),
    ],
}
