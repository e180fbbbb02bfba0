import { filled, type SnippetPlace } from "@/components/snippets/snippet-place";

/** Sends a message from a simulated phone to the line. Sandbox accounts only. */
export function answerSnippets(place: SnippetPlace): { curl: string } {
  const { baseUrl, line, phone } = filled(place);
  return {
    curl: `curl ${baseUrl}/simulator/phones/${phone}/messages \\
  -H "Authorization: Bearer $TRUNKLINE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{ "to": "${line}", "text": "Got it, thanks!" }'`,
  };
}
