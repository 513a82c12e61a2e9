//go:build !reference

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

// isGenuine takes the steps of the specification, for machines that cannot reach the library.
func isGenuine(request request) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(request.Secret, "whsec_"))
	if err != nil {
		panic(err)
	}
	sent := request.Headers["webhook-timestamp"]
	seconds, err := strconv.ParseInt(sent, 10, 64)
	age := time.Now().Unix() - seconds
	if err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(request.Headers["webhook-id"] + "." + sent + "." + request.Body))
	for _, signature := range strings.Split(request.Headers["webhook-signature"], " ") {
		encoded := strings.TrimPrefix(signature, "v1,")
		given, err := base64.StdEncoding.DecodeString(encoded)
		if encoded != signature && err == nil && hmac.Equal(given, mac.Sum(nil)) {
			return true
		}
	}
	return false
}
