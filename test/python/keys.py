"""Makes the keys of a run: WORK/KIND.keys, one a line. Arguments: the service's URL, an admin key, WORK."""

import json
import sys
import urllib.request

url, admin_key, work = sys.argv[1:]


def post(path, body, key=None):
    headers = {"content-type": "application/json"}
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def keep(kind, keys):
    with open(f"{work}/{kind}.keys", "w", encoding="ascii") as file:
        file.writelines(f"{key}\n" for key in keys)


account = post("/admin/v1/accounts", {"name": "Schemathesis", "plan": "scale"}, admin_key)["id"]
post(f"/admin/v1/accounts/{account}/credits/grant", {"amount": 1_000_000, "reason": "test"}, admin_key)
for kind in ("live", "test"):
    path = f"/admin/v1/accounts/{account}/keys"
    keep(kind, [post(path, {"kind": kind}, admin_key)["api_key"] for _ in range(20)])
keep("admin", [post("/admin/v1/keys", {"name": "test"}, admin_key)["api_key"] for _ in range(20)])
keep("agent", [post("/agent-gateway/register", {})["api_key"]])
