"""Calls the service by the generated clients. Arguments: its URL, and the directory with KIND.keys."""

import sys
import time

from admin import AuthenticatedClient as AdminClient
from admin.api.accounts import create_account, grant_credits, list_accounts
from admin.api.audit import list_audit
from admin.api.agent_keys import get_pool
from admin.models import AccountReply, AccountOverviewReply, CreateAccountRequest, GrantRequest
from agent import AuthenticatedClient as AgentClient, Client
from agent.api.agents import register
from agent.api.verify import verify_email as verify_as_agent
from agent.models import RegistrationReply, RegistrationRequest, VerifyRequest as AgentVerifyRequest
from full import AuthenticatedClient
from full.api.batch import get_batch, get_batch_results, list_batches, submit_batch
from full.api.credits_ import get_credits, list_credit_history
from full.api.finder import find_email, get_people_batch, submit_people
from full.api.keys import create_key, list_keys, rotate_key
from full.api.lists import delete_list, get_list, rename_list
from full.api.suppressions import get_suppression, suppress, unsuppress
from full.api.verify import verify_email
from full.api.webhooks import change_webhook, create_webhook, delete_webhook, list_webhooks
from full.models import (
    BatchRequest,
    BatchTakenReply,
    ChangeWebhookRequest,
    CreateKeyRequest,
    CreateWebhookRequest,
    Error404,
    Error422,
    FindEmailRequest,
    FindingReply,
    FullVerificationReply,
    IssuedKeyReply,
    ListReply,
    PeopleBatchRequest,
    PersonBody,
    RenameListRequest,
    RotateKeyRequest,
    SecretWebhookReply,
    SubmitBatchFilesBody,
    SuppressedReply,
    SuppressRequest,
    VerifyRequest,
    WebhookReply,
)
from full.types import File

url, work = sys.argv[1:]


def key_of(kind):
    with open(f"{work}/{kind}.keys", encoding="ascii") as file:
        return file.readline().strip()


def expect(reply, model):
    assert isinstance(reply, model), f"expected {model.__name__}, got {reply!r}"
    return reply


def ended(get, batch, client):
    deadline = time.monotonic() + 60
    while get.sync(batch.id, client=client).status != "completed":
        assert time.monotonic() < deadline, "the batch does not end"
        time.sleep(0.05)


def call_as_customer(client):
    reply = expect(verify_email.sync(client=client, body=VerifyRequest(email="jane@example.com")), FullVerificationReply)
    assert reply.verdict == "valid" and reply.checks.smtp == "pass", reply
    wrong = verify_email.sync(client=client, body=VerifyRequest(email="jane@example.com", timeout_ms=1))
    assert expect(wrong, Error422).code == "invalid_input" and wrong.fields[0].field == "timeout_ms", wrong
    batch = expect(submit_batch.sync(client=client, body=BatchRequest(emails=["jane@example.com"])), BatchTakenReply)
    ended(get_batch, batch, client)
    assert [row.email for row in get_batch_results.sync(batch.id, client=client).results] == ["jane@example.com"]
    upload = SubmitBatchFilesBody(file=File(payload=b"email\njohn@example.com\n", file_name="a.csv", mime_type="text/csv"))
    ended(get_batch, expect(submit_batch.sync(client=client, body=upload), BatchTakenReply), client)
    assert len(list_batches.sync(client=client).batches) == 2
    named = rename_list.sync(batch.id, client=client, body=RenameListRequest(name="Wedding"))
    assert expect(named, ListReply).name == "Wedding"
    assert get_list.sync(batch.id, client=client).results[0].verdict == "valid"
    delete_list.sync(batch.id, client=client)
    assert expect(get_list.sync(batch.id, client=client), Error404).code == "list_not_found"
    person = FindEmailRequest(full_name="Jane Doe", domain="example.com", first_name=None)
    assert expect(find_email.sync(client=client, body=person), FindingReply).candidates_tried > 0
    people = PeopleBatchRequest(people=[PersonBody(domain="example.com", full_name="Jane Doe")])
    ended(get_people_batch, submit_people.sync(client=client, body=people), client)
    added = suppress.sync(client=client, body=SuppressRequest(email="jane@example.com", reason=None))
    listed = expect(added, SuppressedReply).suppressions[0]
    assert get_suppression.sync(listed.id, client=client).id == listed.id
    assert unsuppress.sync_detailed(listed.id, client=client).status_code == 204
    assert get_credits.sync(client=client).plan == "scale"
    # What a test key does is never charged, so its ledger is empty.
    assert list_credit_history.sync(client=client, limit=1).entries == []


def call_as_owner(client):
    key = expect(create_key.sync(client=client, body=CreateKeyRequest(name="Shop")), IssuedKeyReply)
    expect(rotate_key.sync(key.id, client=client, body=RotateKeyRequest(grace_seconds=0)), IssuedKeyReply)
    assert list_keys.sync(client=client, limit=1).next_cursor is not None
    webhook = create_webhook.sync(client=client, body=CreateWebhookRequest(url="http://127.0.0.1:1/hook"))
    expect(webhook, SecretWebhookReply)
    changed = change_webhook.sync(webhook.id, client=client, body=ChangeWebhookRequest(enabled=False))
    assert expect(changed, WebhookReply).enabled is False
    assert len(list_webhooks.sync(client=client).webhooks) == 1
    assert delete_webhook.sync_detailed(webhook.id, client=client).status_code == 204


def call_as_agent():
    registered = register.sync(client=Client(base_url=url), body=RegistrationRequest(name="Scout"))
    client = AgentClient(base_url=url, token=expect(registered, RegistrationReply).api_key)
    assert verify_as_agent.sync(client=client, body=AgentVerifyRequest(email="nobody")).data.result == "invalid"


def call_as_administrator(client):
    account = expect(create_account.sync(client=client, body=CreateAccountRequest(name="Example Ltd")), AccountReply)
    grant = GrantRequest(amount=10, reason="test")
    standing = expect(grant_credits.sync(account.id, client=client, body=grant), AccountOverviewReply)
    assert standing.credits_.remaining == 110, standing
    assert list_accounts.sync(client=client, limit=1).accounts[0].id == account.id
    assert list_audit.sync(client=client, limit=1).entries[0].act == "credits.grant"
    assert get_pool.sync(client=client).capacity > 0


call_as_customer(AuthenticatedClient(base_url=url, token=key_of("test")))
call_as_owner(AuthenticatedClient(base_url=url, token=key_of("live")))
call_as_agent()
call_as_administrator(AdminClient(base_url=url, token=key_of("admin")))
print("the Python clients work")
