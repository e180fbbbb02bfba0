// npx node scripts/lab/kannel-check.mjs: connects Debian's Kannel, an independent SMPP implementation, to the SMS center of the
// tests (lib/testing/vendors/smsc.ts), to prove that the SMS center speaks SMPP and not only what Trunkline's adapter expects.
// Messages of each encoding go out through Kannel, their receipts come back, and a message of a phone comes in. Requires
// `bearerbox` and `smsbox` (apt install kannel), or KANNEL_BIN with their folder.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "../../lib/testing/servers/start-receiver.ts";
import { startSmsc } from "../../lib/testing/vendors/smsc.ts";
import { findFreePort } from "../instance/find-free-port.mjs";
import { findKannel, writeKannelConfig } from "./kannel/kannel.mjs";

const LIMIT_MS = 20_000;
const LINE = "12025550100";
const PERSON = "15550107000";
const TEXTS = ["hello {€}", "Привет 😀", `long ${"0123456789 ".repeat(30)}`];

const boxes = findKannel();
if (boxes === null) process.exit(0);

const directory = mkdtempSync(path.join(os.tmpdir(), "trunkline-kannel-"));
const smsc = await startSmsc({ receiptParameters: true });
const receiver = await startReceiver();
const receiverUrl = `http://127.0.0.1:${receiver.port}`;
const [admin, smsbox, sendsms] = [await findFreePort(), await findFreePort(), await findFreePort()];
const config = writeKannelConfig(directory, {
  ports: { admin, smsbox, sendsms },
  smscPort: smsc.port,
  inboundUrl: `${receiverUrl}/inbound?text=%b&from=%p`,
});

const processes = [];
const problems = [];
try {
  start(boxes.bearerbox);
  await until("the bind of Kannel", () => smsc.bound === 1);
  start(boxes.smsbox);
  await until("Kannel's smsbox", () =>
    fetch(`http://127.0.0.1:${sendsms}/`).then(
      () => true,
      () => false,
    ),
  );
  for (const text of TEXTS) await send(text);
  await until("all messages", () => smsc.messages().length === TEXTS.length);
  const arrived = smsc.messages().map(({ text }) => text);
  for (const text of TEXTS) if (!arrived.includes(text)) problems.push(`not on the phone: ${text}`);
  await until("all receipts", () => count("/dlr") >= TEXTS.length);

  smsc.write({
    source_addr: PERSON,
    destination_addr: LINE,
    short_message: "On my way",
    data_coding: 0,
  });
  await until("the inbound message", () => count("/inbound") === 1);
  const inbound = calls().find(({ pathname }) => pathname === "/inbound");
  if (inbound?.searchParams.get("text") !== "On my way") problems.push(`Kannel received ${inbound}`);
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error));
} finally {
  for (const child of processes.reverse()) child.kill("SIGKILL");
  await receiver.close();
  await smsc.close();
  rmSync(directory, { recursive: true, force: true });
}

for (const problem of problems) process.stdout.write(`PROBLEM  ${problem}\n`);
if (problems.length === 0) {
  process.stdout.write(`Kannel sent ${TEXTS.length} messages, got their receipts and received one.\n`);
}
process.exit(problems.length === 0 ? 0 : 1);

function start(box) {
  processes.push(spawn(box, ["-v", "4", config], { stdio: "ignore", cwd: directory }));
}

async function send(text) {
  const query = new URLSearchParams({
    username: "tester",
    password: "secret",
    from: LINE,
    to: PERSON,
    text,
    charset: "UTF-8",
    coding: /^[\x20-\x7e€]*$/.test(text) ? "0" : "2",
    "dlr-mask": "3",
    "dlr-url": `${receiverUrl}/dlr?type=%d`,
  });
  const response = await fetch(`http://127.0.0.1:${sendsms}/cgi-bin/sendsms?${query}`);
  if (response.status !== 202) problems.push(`sendsms responded ${response.status} ${await response.text()}`);
}

function calls() {
  return receiver.received.map(({ path: target }) => new URL(target, receiverUrl));
}

function count(pathname) {
  return calls().filter((call) => call.pathname === pathname).length;
}

async function until(what, look) {
  const end = performance.now() + LIMIT_MS;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`${what} did not arrive`);
    await sleep(50);
  }
}
