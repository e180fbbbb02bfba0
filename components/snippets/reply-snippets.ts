import { type SnippetContext, withSampleNumbers } from "@/components/snippets/snippet-context";

/** Sends a message from a simulated phone to the line. Sandbox accounts only. */
export function replySnippets(place: SnippetContext): { curl: string } {
  const { baseUrl, line, phone } = withSampleNumbers(place);
  return {
    curl: `curl ${baseUrl}/simulator/phones/${phone}/messages \\
  -H "Authorization: Bearer $TRUNKLINE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{ "to": "${line}", "text": "Got it, thanks!" }'`,
  };
}
