//go:build reference

package main

import (
	"net/http"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// isGenuine asks the reference library.
func isGenuine(request request) bool {
	headers := http.Header{}
	for name, value := range request.Headers {
		headers.Set(name, value)
	}
	webhook, err := standardwebhooks.NewWebhook(request.Secret)
	if err != nil {
		panic(err)
	}
	return webhook.Verify([]byte(request.Body), headers) == nil
}
