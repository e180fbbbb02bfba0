// npm run mutate: mutates the files that contain rules and lists the mutants that their tests do not detect. Not part
// of CI: a group with a database takes up to an hour. `npm run mutate -- GROUP…` runs some groups; `--list` lists them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Files by group, with the tests that must detect a change of them. */
const GROUPS = {
  // Without a database: seconds to minutes.
  "opt-out-keyword": pure("lib/recipients/opt-outs/opt-out-keyword", "lib/recipients/opt-outs/opt-out-hint"),
  "delivery-status": pure("lib/messaging/dispatch/delivery-status"),
  retry: pure(
    "lib/webhooks/deliveries/attempt/retry-schedule",
    "lib/webhooks/deliveries/attempt/parse-retry-after",
  ),
  redaction: pure("lib/request-log/store/redact-secrets"),
  signing: pure("lib/webhooks/signing/sign-webhook"),
  "target-rules": pure("lib/platform/guarded-fetch/target-rules"),
  rights: pure("lib/platform/rights/role-rights"),
  // With PostgreSQL.
  accept: stored(
    ["lib/messaging/sending/accept/accept-message.ts", "lib/messaging/sending/accept/accept-statement.ts"],
    [
      "lib/messaging/sending/send-message",
      "lib/messaging/sending/send-guards",
      "lib/messaging/content/message-limits",
    ],
  ),
  claim: stored(
    [
      "lib/messaging/dispatch/claim/claim-messages.ts",
      "lib/messaging/dispatch/claim/claim-statement.ts",
      "lib/messaging/dispatch/claim/line-cursor.ts",
    ],
    [
      "lib/messaging/dispatch/claim/claim-messages",
      "lib/messaging/dispatch/throughput",
      "lib/messaging/dispatch/dispatch-messages",
      "lib/messaging/sending/send-guards",
    ],
  ),
  advance: stored(
    ["lib/messaging/dispatch/advance-message.ts", "lib/messaging/dispatch/store-advance.ts"],
    [
      "lib/messaging/dispatch/dispatch-messages",
      "lib/messaging/dispatch/apply-receipt",
      "lib/messaging/polls/polls",
    ],
  ),
  "opt-out": stored(
    ["lib/recipients/opt-outs/apply-inbound-opt-out.ts", "lib/recipients/opt-outs/change-opt-out.ts"],
    ["lib/recipients/opt-outs/opt-outs"],
  ),
  health: stored(
    ["lib/recipients/health/chat-health.ts", "lib/messaging/health/settle-health.ts"],
    ["lib/messaging/health/chat-health"],
  ),
  authentication: stored(
    ["lib/runtime/http/authenticate.ts", "lib/runtime/http/authenticate-session.ts"],
    ["lib/runtime/http/authenticate", "lib/runtime/http/authenticate-session"],
  ),
  erasure: stored(
    [
      "lib/messaging/expiry/erase-content.ts",
      "lib/messaging/expiry/expire-content.ts",
      "lib/messaging/expiry/expire-batch.ts",
    ],
    ["lib/messaging/expiry/erase-content", "lib/messaging/expiry/expire-content"],
  ),
  settlement: stored(
    ["lib/payments/requests/settle/settle-request.ts"],
    [
      "lib/payments/requests/settling",
      "lib/payments/requests/stripe-requests",
      "lib/payments/requests/stripe-connection",
      "lib/payments/requests/live-stripe",
    ],
  ),
  passkeys: stored(["lib/payments/wallet/register-passkey.ts"], ["lib/payments/wallet/passkeys"]),
  codes: stored(
    ["lib/payments/connections/one-time-code.ts", "lib/payments/connections/verify-handle.ts"],
    ["lib/payments/connections/connections"],
  ),
  cursors: stored(
    ["lib/platform/lists/page.ts"],
    ["lib/messaging/messages/list-thread-messages", "lib/messaging/messages/paging-under-inserts"],
  ),
};

function pure(...files) {
  const tests = files.map((file) => `${file}.test.ts`);
  return { files: files.map((file) => `${file}.ts`), tests, database: false };
}

function stored(files, tests) {
  return { files, tests: tests.map((test) => `${test}.test.ts`), database: true };
}

const asked = process.argv.slice(2);
if (asked.includes("--list")) {
  process.stdout.write(`${Object.keys(GROUPS).join("\n")}\n`);
  process.exit(0);
}
const unknown = asked.filter((name) => GROUPS[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`Unknown group: ${unknown.join(", ")}. Run \`npm run mutate -- --list\`.\n`);
  process.exit(1);
}
const failed = (asked.length > 0 ? asked : Object.keys(GROUPS)).filter((name) => !mutate(name));
if (failed.length > 0) {
  process.stderr.write(`\nMutation testing could not run: ${failed.join(", ")}\n`);
  process.exit(1);
}

/** Runs one group. Returns whether it could run. Surviving mutants are not a failure: they need to be reviewed. */
function mutate(name) {
  const { files, tests, database } = GROUPS[name];
  process.stdout.write(`\n${name}: ${files.join(", ")}\n`);
  const { status } = spawnSync("npx", ["stryker", "run"], {
    cwd: ROOT,
    stdio: "inherit",
    env: {
      ...process.env,
      MUTATION_GROUP: name,
      MUTATED_FILES: files.flatMap(withoutContracts).join(","),
      MUTATION_TESTS: tests.join(","),
      MUTATION_DATABASE: database ? "1" : "0",
    },
  });
  return status === 0;
}

/**
 * The line ranges of a file outside its contracts. Contracts hold no rules but the documentation, rights and shapes of
 * an operation, which generated tests of all operations check.
 */
function withoutContracts(file) {
  const lines = readFileSync(path.join(ROOT, file), "utf8").split("\n");
  const ranges = [];
  let from = 1;
  for (const [index, line] of lines.entries()) {
    if (/^export const \w+ = contract\(\{$/.test(line)) {
      ranges.push([from, index]);
      from = lines.indexOf("});", index) + 2;
    }
  }
  if (ranges.length === 0) return [file];
  ranges.push([from, lines.length]);
  return ranges.filter(([first, last]) => first <= last).map(([first, last]) => `${file}:${first}-${last}`);
}
