package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func read(field string) string {
	bytes, err := base64.StdEncoding.DecodeString(field)
	if err != nil {
		panic(err)
	}
	return string(bytes)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		header := http.Header{}
		for i, name := range []string{"Svc-Signature", "Svc-Timestamp", "Svc-Origin"} {
			if field := fields[i+1]; field != "-" {
				header.Set(name, read(field))
			}
		}
		var secrets []string
		for _, each := range strings.Split(fields[4], ",") {
			secrets = append(secrets, read(each))
		}
		now, _ := strconv.ParseInt(fields[5], 10, 64)
		tolerance, _ := strconv.Atoi(fields[6])
		err := Verify([]byte(read(fields[0])), header, secrets, time.Unix(now, 0), time.Duration(tolerance)*time.Second)
		fmt.Println(err == nil)
	}
}
