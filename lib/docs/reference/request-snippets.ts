/** A request as the documentation shows it: a method, a path with `{parameters}` and a JSON body. */
export interface DocumentedRequest {
  method: string;
  path: string;
  /** undefined for a request without a body. */
  body: unknown;
}

/** A request in every language of the documentation. */
export type RequestSnippets = Record<"curl" | "typescript" | "python" | "go", string>;

/** The URL that documents show for an instance. Pages and Markdown files replace it with the real one. */
export const SAMPLE_URL = "https://trunkline.example.com";

/** Parses a fenced request: "POST /v3/chats", an empty line and the JSON body. Throws on anything else. */
export function parseRequest(text: string): DocumentedRequest {
  const [line = "", ...rest] = text.trim().split("\n");
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(line) ?? [];
  if (method === undefined || path === undefined) throw new Error(`not a request line: ${line}`);
  const body = rest.join("\n").trim();
  return { method, path, body: body === "" ? undefined : JSON.parse(body) };
}

/** The same request for curl, the official client, and the standard libraries of Python and Go. */
export function requestSnippets(request: DocumentedRequest): RequestSnippets {
  return {
    curl: toCurl(request),
    typescript: toTypeScript(request),
    python: toPython(request),
    go: toGo(request),
  };
}

const PARAMETER = /\{(\w+)\}/g;
const words = (name: string) => name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();

function toCurl({ method, path, body }: DocumentedRequest): string {
  const url = `${SAMPLE_URL}${path.replace(PARAMETER, (_, name: string) => `$${words(name).toUpperCase()}`)}`;
  const lines = [
    `curl -sS ${method === "GET" || (method === "POST" && body !== undefined) ? "" : `-X ${method} `}"${url}"`,
    `  -H "Authorization: Bearer $TRUNKLINE_TOKEN"`,
  ];
  if (body !== undefined) {
    const text = JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll("\n", "\n  ");
    lines.push(`  -H "Content-Type: application/json"`, `  -d '${text}'`);
  }
  return lines.join(" \\\n");
}

function toTypeScript({ method, path, body }: DocumentedRequest): string {
  const variable = (_: string, name: string) => `\${${name}}`;
  const target = path.includes("{") ? `\`${path.replace(PARAMETER, variable)}\`` : JSON.stringify(path);
  const options = body === undefined ? "" : `, {\n  body: ${toObject(body).replaceAll("\n", "\n  ")},\n}`;
  return `import LinqAPIV3 from "@linqapp/sdk";

const client = new LinqAPIV3({
  apiKey: process.env.TRUNKLINE_TOKEN,
  baseURL: "${SAMPLE_URL}",
});

const result = await client.${method.toLowerCase()}(${target}${options});
console.log(result);`;
}

/** JSON with keys that need no quotes unquoted, as in a TypeScript program. */
function toObject(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

function toPython({ method, path, body }: DocumentedRequest): string {
  const hasParameters = path.includes("{");
  const target = path.replace(PARAMETER, (_, name: string) => `{${words(name)}}`);
  const data = body === undefined ? "" : `\n    data=json.dumps(${toPythonValue(body, 1)}).encode(),`;
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${hasParameters ? "f" : ""}"${SAMPLE_URL}${target}",
    method="${method}",
    headers={
        "Authorization": f"Bearer {os.environ['TRUNKLINE_TOKEN']}",
        "Content-Type": "application/json",
    },${data}
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`;
}

function toPythonValue(value: unknown, depth: number): string {
  const indent = "    ".repeat(depth + 1);
  const end = "    ".repeat(depth);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    if (value.every((each) => typeof each !== "object")) {
      return `[${value.map((each) => toPythonValue(each, depth)).join(", ")}]`;
    }
    return `[\n${value.map((each) => `${indent}${toPythonValue(each, depth + 1)},\n`).join("")}${end}]`;
  }
  if (typeof value === "object") {
    const rows = Object.entries(value).map(
      ([key, each]) => `${indent}${JSON.stringify(key)}: ${toPythonValue(each, depth + 1)},\n`,
    );
    return `{\n${rows.join("")}${end}}`;
  }
  return JSON.stringify(value);
}

function toGo({ method, path, body }: DocumentedRequest): string {
  const target = `"${SAMPLE_URL}${path.replace(PARAMETER, '" + $1 + "')}"`.replace(/ \+ ""$/, "");
  const text = body === undefined ? "" : JSON.stringify(body, null, 2).replaceAll("\n", "\n\t\t");
  const isRaw = !text.includes("`");
  const reader =
    body === undefined ? "nil" : `strings.NewReader(${isRaw ? `\`${text}\`` : JSON.stringify(text)})`;
  return `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"${body === undefined ? "" : '\n\t"strings"'}
)

func main() {
	request, err := http.NewRequest("${method}", ${target}, ${reader})
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TRUNKLINE_TOKEN"))${
    body === undefined ? "" : '\n\trequest.Header.Set("Content-Type", "application/json")'
  }
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(response.Status, string(answer))
}`;
}
