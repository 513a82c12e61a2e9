/** The same by hand, in languages without the package: the five steps of docs/signing.md. Pure. */

const PYTHON = `import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRETS = os.environ["SIGNING_SECRETS"].split(",")


def verified(body: bytes, headers) -> bool:
    """Whether one of the secrets has signed these bytes within the last five minutes."""
    parts = [part.partition("=") for part in (headers.get("Svc-Signature") or "").split(",")]
    times = [value for key, _, value in parts if key == "t"]
    macs = [value for key, _, value in parts if key == "v1"][:16]
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]) or not macs:
        return False
    if headers.get("Svc-Timestamp", times[0]) != times[0] or time.time() - int(times[0]) > 300:
        return False
    signed = times[0].encode() + b"." + body
    known = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in SECRETS]
    return any([hmac.compare_digest(a.encode(), b.encode()) for a in known for b in macs])


class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        is_genuine = verified(body, self.headers)
        if is_genuine:
            event = json.loads(body)
            print(event["id"], event["type"])
        self.send_response(204 if is_genuine else 400)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "3000"))), Webhooks).serve_forever()
`;

const GO = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var secrets = strings.Split(os.Getenv("SIGNING_SECRETS"), ",")
var digits = regexp.MustCompile(\`^[0-9]{1,12}$\`)

// verified tells whether one of the secrets has signed these bytes within the last five minutes.
func verified(body []byte, header http.Header) bool {
	var times, macs []string
	for _, part := range strings.Split(header.Get("Svc-Signature"), ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "t":
			times = append(times, value)
		case "v1":
			macs = append(macs, value)
		}
	}
	if len(times) != 1 || !digits.MatchString(times[0]) || len(macs) == 0 || len(macs) > 16 {
		return false
	}
	if sent := header.Get("Svc-Timestamp"); sent != "" && sent != times[0] {
		return false
	}
	seconds, _ := strconv.ParseInt(times[0], 10, 64)
	if time.Now().Unix()-seconds > 300 {
		return false
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(times[0] + "."))
		mac.Write(body)
		known := hex.EncodeToString(mac.Sum(nil))
		for _, one := range macs {
			if hmac.Equal([]byte(known), []byte(one)) {
				return true
			}
		}
	}
	return false
}

func main() {
	if os.Getenv("SIGNING_SECRETS") == "" {
		log.Fatal("set SIGNING_SECRETS")
	}
	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !verified(body, r.Header) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		log.Printf("%s", body)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":3000", nil))
}
`;

const RUBY = `# config.ru
require "json"
require "openssl"

SECRETS = ENV.fetch("SIGNING_SECRETS").split(",")

# Whether one of the secrets has signed these bytes within the last five minutes.
def verified?(body, env)
  parts = env.fetch("HTTP_SVC_SIGNATURE", "").split(",").map { |part| part.split("=", 2) }
  times = parts.filter_map { |key, value| value if key == "t" }
  macs = parts.filter_map { |key, value| value if key == "v1" }.first(16)
  return false unless times.length == 1 && times[0].match?(/\\A[0-9]{1,12}\\z/) && macs.any?
  return false if env.fetch("HTTP_SVC_TIMESTAMP", times[0]) != times[0]
  return false if Time.now.to_i - times[0].to_i > 300

  SECRETS.any? do |secret|
    known = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{times[0]}.".b + body)
    macs.any? { |mac| OpenSSL.secure_compare(known, mac) }
  end
end

run lambda { |env|
  body = env["rack.input"].read.b
  next [400, {}, []] unless verified?(body, env)

  event = JSON.parse(body)
  puts "#{event["id"]} #{event["type"]}"
  [204, {}, []]
}
`;

const PHP = `<?php
// Whether one of the secrets has signed these bytes within the last five minutes.
function verified(string $body, array $server, array $secrets): bool
{
    $times = $macs = [];
    foreach (explode(',', $server['HTTP_SVC_SIGNATURE'] ?? '') as $part) {
        [$key, $value] = explode('=', $part, 2) + ['', ''];
        if ($key === 't') $times[] = $value;
        if ($key === 'v1') $macs[] = $value;
    }
    if (count($times) !== 1 || !preg_match('/\\A[0-9]{1,12}\\z/', $times[0])) return false;
    if (count($macs) === 0 || count($macs) > 16) return false;
    if (($server['HTTP_SVC_TIMESTAMP'] ?? $times[0]) !== $times[0]) return false;
    if (time() - (int) $times[0] > 300) return false;
    foreach ($secrets as $secret) {
        $known = hash_hmac('sha256', $times[0] . '.' . $body, $secret);
        foreach ($macs as $mac) {
            if (hash_equals($known, $mac)) return true;
        }
    }
    return false;
}

$secrets = array_filter(explode(',', getenv('SIGNING_SECRETS') ?: ''));
$body = file_get_contents('php://input');
if (!verified($body, $_SERVER, $secrets)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
error_log($event['id'] . ' ' . $event['type']);
http_response_code(204);
`;

export const LANGUAGES = {
  python: { name: 'Python', file: 'server.py', install: null, code: PYTHON },
  go: { name: 'Go', file: 'main.go', install: null, code: GO },
  ruby: { name: 'Ruby (Rack)', file: 'config.ru', install: null, code: RUBY },
  php: { name: 'PHP', file: 'webhooks.php', install: null, code: PHP },
} as const;
