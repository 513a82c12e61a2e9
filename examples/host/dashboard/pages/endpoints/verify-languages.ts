/**
 * The same by hand, in languages without the package: the steps of docs/signing.md, and those of Standard Webhooks.
 * Pure.
 */

const python = (encoding: string, verified: string): string => `${encoding}import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRETS = os.environ["SIGNING_SECRETS"].split(",")


${verified}


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

const go = (encoding: string, verified: string): string => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/${encoding}"
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

${verified}
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

const ruby = (verified: string): string => `# config.ru
require "json"
require "openssl"

SECRETS = ENV.fetch("SIGNING_SECRETS").split(",")

${verified}
run lambda { |env|
  body = env["rack.input"].read.b
  next [400, {}, []] unless verified?(body, env)

  event = JSON.parse(body)
  puts "#{event["id"]} #{event["type"]}"
  [204, {}, []]
}
`;

const php = (verified: string): string => `<?php
${verified}
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

const PYTHON_SVC = `def verified(body: bytes, headers) -> bool:
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
    return any([hmac.compare_digest(a.encode(), b.encode()) for a in known for b in macs])`;

const GO_SVC = `// verified reports whether one of the secrets has signed these bytes within the last five minutes.
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
`;

const RUBY_SVC = `# Whether one of the secrets has signed these bytes within the last five minutes.
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
`;

const PHP_SVC = `// Whether one of the secrets has signed these bytes within the last five minutes.
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
`;

const PYTHON_STANDARD = `def verified(body: bytes, headers) -> bool:
    """Whether one of the secrets has signed these bytes within the last five minutes."""
    name, seconds = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    macs = [mac for mac in headers.get("webhook-signature", "").split(" ") if mac.startswith("v1,")][:16]
    if not name or not re.fullmatch(r"[0-9]{1,12}", seconds) or abs(time.time() - int(seconds)) > 300:
        return False
    signed = f"{name}.{seconds}.".encode() + body
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in SECRETS]
    known = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    return any([hmac.compare_digest(a, b.encode()) for a in known for b in macs])`;

const GO_STANDARD = `// verified reports whether one of the secrets has signed these bytes within the last five minutes.
func verified(body []byte, header http.Header) bool {
	name, sent := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	macs := strings.Split(header.Get("Webhook-Signature"), " ")
	if name == "" || !digits.MatchString(sent) || len(macs) > 16 {
		return false
	}
	seconds, _ := strconv.ParseInt(sent, 10, 64)
	if age := time.Now().Unix() - seconds; age > 300 || age < -300 {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return false
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(name + "." + sent + "."))
		mac.Write(body)
		known := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, one := range macs {
			if hmac.Equal([]byte(known), []byte(one)) {
				return true
			}
		}
	}
	return false
}
`;

const RUBY_STANDARD = `# Whether one of the secrets has signed these bytes within the last five minutes.
def verified?(body, env)
  id, seconds = env.values_at("HTTP_WEBHOOK_ID", "HTTP_WEBHOOK_TIMESTAMP")
  macs = env.fetch("HTTP_WEBHOOK_SIGNATURE", "").split(" ").first(16)
  return false unless id && seconds&.match?(/\\A[0-9]{1,12}\\z/)
  return false if (Time.now.to_i - seconds.to_i).abs > 300

  SECRETS.any? do |secret|
    key = secret.delete_prefix("whsec_").unpack1("m")
    known = "v1," + [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{seconds}.".b + body)].pack("m0")
    macs.any? { |mac| OpenSSL.secure_compare(known, mac) }
  end
end
`;

const PHP_STANDARD = `// Whether one of the secrets has signed these bytes within the last five minutes.
function verified(string $body, array $server, array $secrets): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $seconds = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $macs = explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    if ($id === '' || !preg_match('/\\A[0-9]{1,12}\\z/', $seconds) || count($macs) > 16) return false;
    if (abs(time() - (int) $seconds) > 300) return false;
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $known = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$seconds.$body", $key, true));
        foreach ($macs as $mac) {
            if (hash_equals($known, $mac)) return true;
        }
    }
    return false;
}
`;

const file = (name: string, path: string, code: string) => ({ name, file: path, install: null, code });

/** For receivers of the service's own signature. */
export const LANGUAGES = {
  python: file('Python', 'server.py', python('', PYTHON_SVC)),
  go: file('Go', 'main.go', go('hex', GO_SVC)),
  ruby: file('Ruby (Rack)', 'config.ru', ruby(RUBY_SVC)),
  php: file('PHP', 'webhooks.php', php(PHP_SVC)),
} as const;

/** For receivers of Standard Webhooks. */
export const STANDARD_LANGUAGES: typeof LANGUAGES = {
  python: file('Python', 'server.py', python('import base64\n', PYTHON_STANDARD)),
  go: file('Go', 'main.go', go('base64', GO_STANDARD)),
  ruby: file('Ruby (Rack)', 'config.ru', ruby(RUBY_STANDARD)),
  php: file('PHP', 'webhooks.php', php(PHP_STANDARD)),
};
