import type { SnippetLanguage } from "@/components/data/copy/code-tabs";
import { type SnippetContext, withSampleNumbers } from "@/components/snippets/snippet-context";

const TOKEN = "TRUNKLINE_TOKEN";

/**
 * Sends a first message, in every language. The curl snippet contains `token` if given; otherwise all read
 * $TRUNKLINE_TOKEN.
 */
export function sendMessageSnippets(place: SnippetContext, token?: string): Record<SnippetLanguage, string> {
  const values = withSampleNumbers(place);
  return {
    curl: curl(values, token ?? `$${TOKEN}`),
    typescript: typescript(values),
    python: python(values),
    go: go(values),
  };
}

type Values = ReturnType<typeof withSampleNumbers>;

function curl({ baseUrl, line, phone }: Values, token: string): string {
  return `curl ${baseUrl}/v3/chats \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "from": "${line}",
    "to": ["${phone}"],
    "message": {
      "parts": [{ "type": "text", "value": "Hello from Trunkline" }]
    }
  }'`;
}

function typescript({ baseUrl, line, phone }: Values): string {
  return `// npm install @linqapp/sdk
import LinqAPIV3 from "@linqapp/sdk";

const client = new LinqAPIV3({
  apiKey: process.env.${TOKEN},
  baseURL: "${baseUrl}",
});

const { chat } = await client.chats.create({
  from: "${line}",
  to: ["${phone}"],
  message: { parts: [{ type: "text", value: "Hello from Trunkline" }] },
});
console.log(chat.id, chat.message.delivery_status);`;
}

function python({ baseUrl, line, phone }: Values): string {
  return `# pip install requests
import os

import requests

response = requests.post(
    "${baseUrl}/v3/chats",
    headers={"Authorization": f"Bearer {os.environ['${TOKEN}']}"},
    json={
        "from": "${line}",
        "to": ["${phone}"],
        "message": {"parts": [{"type": "text", "value": "Hello from Trunkline"}]},
    },
    timeout=10,
)
response.raise_for_status()
print(response.json()["chat"]["id"])`;
}

function go({ baseUrl, line, phone }: Values): string {
  return `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`{
  "from": "${line}",
  "to": ["${phone}"],
  "message": { "parts": [{ "type": "text", "value": "Hello from Trunkline" }] }
}\`)
	request, err := http.NewRequest("POST", "${baseUrl}/v3/chats", body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("${TOKEN}"))
	request.Header.Set("Content-Type", "application/json")

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.Status, string(answer))
}`;
}
