import { type SnippetContext, withSampleNumbers } from "@/components/snippets/snippet-context";

const EVENTS = `["message.sent", "message.delivered", "message.received", "message.failed"]`;

/** Subscribes a URL to message events. */
export function subscribeSnippets(place: SnippetContext): { curl: string; typescript: string } {
  const { baseUrl } = withSampleNumbers(place);
  return {
    curl: `curl ${baseUrl}/v3/webhook-subscriptions \\
  -H "Authorization: Bearer $TRUNKLINE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{
    "target_url": "https://your-server.example/webhooks",
    "subscribed_events": ${EVENTS}
  }'
# The response contains signing_secret. It is not shown again.`,
    typescript: `import LinqAPIV3 from "@linqapp/sdk";

const client = new LinqAPIV3({ apiKey: process.env.TRUNKLINE_TOKEN, baseURL: "${baseUrl}" });

const subscription = await client.webhookSubscriptions.create({
  target_url: "https://your-server.example/webhooks",
  subscribed_events: ${EVENTS},
});
console.log(subscription.signing_secret); // not shown again`,
  };
}

/** A server that receives deliveries and verifies their signature. */
export function webhookServerSnippets(): { typescript: string; python: string } {
  return {
    typescript: `// npm install @linqapp/sdk
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import LinqAPIV3 from "@linqapp/sdk";

const client = new LinqAPIV3({ apiKey: process.env.TRUNKLINE_TOKEN });
const key = process.env.TRUNKLINE_SIGNING_SECRET;

createServer(async (request, response) => {
  try {
    const event = client.webhooks.unwrap(await text(request), { headers: request.headers, key });
    console.log(event.event_type, event.event_id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(4000);`,
    python: `# pip install standardwebhooks
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook

webhook = Webhook(os.environ["TRUNKLINE_SIGNING_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        webhook.verify(body, dict(self.headers))
        print(json.loads(body)["event_type"])
        self.send_response(204)
        self.end_headers()


HTTPServer(("", 4000), Receiver).serve_forever()`,
  };
}
