// One journey by the official Go client: go run journey.go URL
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type result struct {
	Code       string  `json:"code"`
	Action     string  `json:"action"`
	APIKey     string  `json:"api_key"`
	Reason     string  `json:"reason"`
	BatchID    int64   `json:"batch_id"`
	ListID     int64   `json:"list_id"`
	RetryAfter float64 `json:"retry_after"`
	Results    []struct {
		Reason string `json:"reason"`
	} `json:"results"`
}

type withKey struct{ key string }

func (k withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	if k.key != "" {
		request.Header.Set("Authorization", "Bearer "+k.key)
	}
	return http.DefaultTransport.RoundTrip(request)
}

var ctx, _ = context.WithTimeout(context.Background(), time.Minute)

func connect(key string) *mcp.ClientSession {
	client := mcp.NewClient(&mcp.Implementation{Name: "journey", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{
		Endpoint:   os.Args[1],
		HTTPClient: &http.Client{Transport: withKey{key}},
	}
	session, err := client.Connect(ctx, transport, nil)
	check(err)
	return session
}

func call(session *mcp.ClientSession, name string, given map[string]any) (told result) {
	called, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: given})
	check(err)
	text, err := json.Marshal(called.StructuredContent)
	check(err)
	check(json.Unmarshal(text, &told))
	return told
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect[T comparable](told, said T) {
	if told != said {
		log.Fatalf("expected %v, was told %v", said, told)
	}
}

func main() {
	stranger := connect("")
	tools, err := stranger.ListTools(ctx, nil)
	check(err)
	expect(len(tools.Tools), 9)
	expect(call(stranger, "verify_email", map[string]any{"email": "a@example.com"}).Code, "key_missing")
	key := call(stranger, "get_api_key", map[string]any{"name": "Journey"}).APIKey
	check(stranger.Close())

	agent := connect(key)
	expect(call(agent, "verify_email", map[string]any{"email": "someone@nowhere.invalid"}).Reason, "domain_not_found")
	batch := call(agent, "verify_batch", map[string]any{"emails": []string{"not an address", "someone@nowhere.invalid"}})
	status := batch
	for status.Action == "poll" {
		time.Sleep(time.Duration(status.RetryAfter) * time.Second)
		status = call(agent, "get_batch_status", map[string]any{"batch_id": batch.BatchID})
	}
	expect(status.Action, "get_list")
	rows := call(agent, "get_list", map[string]any{"list_id": status.ListID}).Results
	expect(len(rows), 2)
	expect(rows[0].Reason+","+rows[1].Reason, "invalid_syntax,domain_not_found")
	version := agent.InitializeResult().ProtocolVersion
	check(agent.Close())
	fmt.Printf("Go: a key, a verdict, a batch and its list by %s\n", version)
}
