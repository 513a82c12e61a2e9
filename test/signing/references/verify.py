"""Verifies requests with the reference library, and prints how many it accepted and refused."""
import json
import sys

sys.path.insert(0, sys.argv[1])
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

verified = refused = 0
for request in json.load(sys.stdin):
    for secret in request["secrets"]:
        Webhook(secret).verify(request["body"], request["headers"])
        verified += 1
        try:
            Webhook(secret).verify(request["body"] + " ", request["headers"])
        except WebhookVerificationError:
            refused += 1
print(f"{verified} verified, {refused} refused")
