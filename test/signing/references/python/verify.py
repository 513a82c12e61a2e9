"""Verifies requests of Standard Webhooks, and prints the list of verdicts."""
import base64
import hashlib
import hmac
import json
import sys
import time

TOLERANCE_SECONDS = 300


def by_reference(secret, body, headers):
    """Asks the reference library."""
    from standardwebhooks.webhooks import Webhook, WebhookVerificationError

    try:
        Webhook(secret).verify(body, headers)
        return True
    except WebhookVerificationError:
        return False


def by_specification(secret, body, headers):
    """Takes the steps of the specification, for machines that cannot reach the library."""
    key = base64.b64decode(secret[len("whsec_"):], validate=True)
    sent = headers["webhook-timestamp"]
    if not sent.isdecimal() or abs(time.time() - int(sent)) > TOLERANCE_SECONDS:
        return False
    signed = f"{headers['webhook-id']}.{sent}.{body}".encode()
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(signature, f"v1,{mac}") for signature in signatures)


verify = {"reference": by_reference, "specification": by_specification}[sys.argv[1]]
print(json.dumps([verify(each["secret"], each["body"], each["headers"]) for each in json.load(sys.stdin)]))
