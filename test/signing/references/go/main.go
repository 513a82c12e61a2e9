// Verifies requests of Standard Webhooks, and prints the list of verdicts.
package main

import (
	"encoding/json"
	"os"
)

type request struct {
	Secret  string
	Body    string
	Headers map[string]string
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	verdicts := make([]bool, len(requests))
	for i, request := range requests {
		verdicts[i] = isGenuine(request)
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
