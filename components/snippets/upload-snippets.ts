import type { SnippetContext } from "@/components/snippets/snippet-context";

/** Creates an attachment, uploads its content and prints the response. Runs in a shell without changes. */
export function uploadSnippets({ baseUrl }: Pick<SnippetContext, "baseUrl">): { curl: string } {
  return {
    curl: `printf 'Hello from a file' > hello.txt
answer=$(curl -sS ${baseUrl}/v3/attachments \\
  -H "Authorization: Bearer $TRUNKLINE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{ "filename": "hello.txt", "content_type": "text/plain", "size_bytes": 17 }')
upload_url=$(echo "$answer" | sed 's/.*"upload_url":"\\([^"]*\\)".*/\\1/')
curl -sS -T hello.txt -H "Content-Type: text/plain" "$upload_url"
echo "$answer"`,
  };
}
