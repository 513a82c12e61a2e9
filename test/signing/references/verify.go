// Verifies requests with the reference library, and prints how many it accepted and refused.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "headgate.test/standardwebhooks"
)

type request struct {
	Secrets []string
	Body    string
	Headers map[string]string
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	verified, refused := 0, 0
	for _, one := range requests {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		for _, secret := range one.Secrets {
			webhook, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				panic(err)
			}
			if webhook.Verify([]byte(one.Body), headers) == nil {
				verified++
			}
			if webhook.Verify([]byte(one.Body+" "), headers) != nil {
				refused++
			}
		}
	}
	fmt.Printf("%d verified, %d refused\n", verified, refused)
}
