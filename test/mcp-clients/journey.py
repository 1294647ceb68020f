"""One journey by the Python clients `mcp` and `fastmcp`, which read results into classes.

python journey.py URL mcp|fastmcp
"""

import asyncio
import sys

URL, LIBRARY = sys.argv[1:]


def connect(key=None):
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    if LIBRARY == "fastmcp":
        from fastmcp import Client
        from fastmcp.client.transports import StreamableHttpTransport

        return Client(StreamableHttpTransport(URL, headers=headers))
    import httpx2
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    return Client(streamable_http_client(URL, http_client=httpx2.AsyncClient(headers=headers, timeout=60)))


async def call(client, tool, **given):
    if LIBRARY == "fastmcp":
        return (await client.call_tool(tool, given, raise_on_error=False)).structured_content
    return (await client.call_tool(tool, given)).structured_content


async def tools_of(client):
    listed = await client.list_tools()
    return listed if isinstance(listed, list) else listed.tools


async def journey():
    async with connect() as stranger:
        assert len(await tools_of(stranger)) == 9
        assert (await call(stranger, "verify_email", email="a@example.com"))["code"] == "key_missing"
        key = (await call(stranger, "get_api_key", name="Journey"))["api_key"]
    async with connect(key) as agent:
        verdict = await call(agent, "verify_email", email="someone@nowhere.invalid")
        assert verdict["reason"] == "domain_not_found", verdict
        status = batch = await call(agent, "verify_batch", emails=["not an address", "someone@nowhere.invalid"])
        while status["action"] == "poll":
            await asyncio.sleep(status["retry_after"])
            status = await call(agent, "get_batch_status", batch_id=batch["batch_id"])
        assert status["action"] == "get_list", status
        rows = (await call(agent, "get_list", list_id=status["list_id"]))["results"]
        assert [row["reason"] for row in rows] == ["invalid_syntax", "domain_not_found"], rows
        print(f"Python {LIBRARY}: a key, a verdict, a batch and its list by {version_of(agent)}")


def version_of(client):
    result = getattr(client, "initialize_result", None)
    return getattr(client, "protocol_version", None) or getattr(result, "protocol_version", "?")


asyncio.run(journey())
