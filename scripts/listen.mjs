// npm run listen -- --token … --forward http://localhost:4000/hooks: posts an account's events, signed like webhooks,
// to your server that has no public URL. After a lost connection, continues with the next event.
import { parseArgs } from "node:util";
import { followEvents, Refused } from "./listen/follow-events.mjs";
import { startForwarding } from "./listen/forward-event.mjs";

const USAGE = `npm run listen -- --token <API token> --forward <URL> [options]

  --url <URL>               URL of Trunkline (default: BASE_URL, or http://localhost:3000)
  --types <a,b>             only these event types
  --phone-numbers <a,b>     only events of these lines
  --version <date>          payload version: 2025-01-01 or 2026-02-03 (default)
  --after <number>          start after this event number (default: new events only)
  --secret <whsec_…>        signing secret (default: a new one for each run)
`;

const { values } = parseArgs({
  options: {
    token: { type: "string", default: process.env.TRUNKLINE_TOKEN },
    forward: { type: "string" },
    url: { type: "string", default: process.env.BASE_URL ?? "http://localhost:3000" },
    types: { type: "string" },
    "phone-numbers": { type: "string" },
    version: { type: "string" },
    after: { type: "string" },
    secret: { type: "string" },
  },
});
if (values.token === undefined || !URL.canParse(values.forward ?? "")) {
  process.stderr.write(USAGE);
  process.exit(1);
}

const say = (line) => process.stdout.write(`${line}\n`);
const forwarding = startForwarding({ target: values.forward, secret: values.secret, say });
say(`Signing with ${forwarding.secret}`);
let last = values.after;
process.once("SIGINT", () => {
  say(`\nTo continue from here, run again with --after ${last ?? 0}`);
  process.exit(0);
});

try {
  const { token, url, types, version, "phone-numbers": phone_numbers } = values;
  for await (const event of followEvents({
    url,
    token,
    query: { types, phone_numbers, version },
    last,
    say,
  })) {
    last = event.id;
    if (event.type !== "ready") await forwarding.forward(event);
  }
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
