

import base64, sys

for line in sys.stdin:
    fields = line.rstrip("\n").split("\t")
    read = lambda text: None if text == "-" else base64.b64decode(text)
    text = lambda field: None if field == "-" else read(field).decode()
    body, signature, timestamp, origin, secrets, now, tolerance = fields
    try:
        verify(read(body), text(signature), text(timestamp), text(origin),
               secrets=[text(one) for one in secrets.split(",")], now=int(now), tolerance=int(tolerance))
        print("true")
    except ValueError:
        print("false")
