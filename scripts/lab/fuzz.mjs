// npx node scripts/lab/fuzz.mjs [--requests 20000] [--seed 1]: sends random requests (valid, invalid and malformed HTTP) to
// every route of the production server. Fails on an unintended 5xx, a response that is neither an error envelope nor a
// page, or steady memory growth.
import { parseArgs } from "node:util";
import { buildIfStale } from "../build.mjs";
import { routePaths } from "../generate-routes.mjs";
import { callInstance } from "../instance/call-instance.mjs";
import { openInstance } from "../instance/open-instance.mjs";
import { residentBytes } from "../instance/process-memory.mjs";
import { signInCookie } from "../instance/sign-in-cookie.mjs";
import { fuzzServer } from "./fuzz/fuzz-server.mjs";

const MIB = 1024 * 1024;
/**
 * Maximum memory growth from the middle to the end of the run: more than the noise of garbage collection, far less than
 * if the server kept every request.
 */
const MAX_GROWTH_MIB = 100;

const { values } = parseArgs({
  options: { requests: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
const count = Number(values.requests);
await buildIfStale();
const server = await openInstance();
const demo = server.firstRun;
const program = { baseUrl: server.baseUrl, token: demo.token };
const { chats } = await callInstance(program, "GET /v3/chats");
const { phone_numbers: lines } = await callInstance(program, "GET /v3/phone_numbers");
const cookie = await signInCookie(server.baseUrl, demo.admin);

const memory = [];
const { faults, statuses } = await fuzzServer({
  port: Number(new URL(server.baseUrl).port),
  seed: Number(values.seed),
  count,
  paths: routePaths(),
  openapi: JSON.parse(readFileSync("openapi.json", "utf8")),
  known: [demo.line, demo.phone, lines[0].id, ...chats.slice(0, 3).map(({ id }) => id)],
  identities: [
    [],
    [`Authorization: Bearer ${demo.token}`],
    [`X-SERVICE-INTEGRATION-TOKEN: ${demo.token}`],
    [`Cookie: ${cookie}`, `Origin: ${server.baseUrl}`],
  ],
  onProgress(sent) {
    if (sent % Math.ceil(count / 20) === 0) memory.push(Math.round(residentBytes(server.pid) / MIB));
  },
});
const isAlive = (await fetch(`${server.baseUrl}/ready`)).ok;
await server.close();

const growth = memory.at(-1) - memory[Math.floor(memory.length / 2)];
process.stdout.write(`\n${count} requests, seed ${values.seed}\n`);
for (const [status, times] of Object.entries(statuses))
  process.stdout.write(`${String(times).padStart(8)}  ${status}\n`);
process.stdout.write(`Memory in MiB: ${memory.join(" ")}\n`);
for (const fault of faults) process.stdout.write(`FAULT  ${fault}\n`);
if (!isAlive) process.stdout.write("FAULT  the server is not ready any more\n");
if (growth > MAX_GROWTH_MIB) process.stdout.write(`FAULT  memory grew by ${growth} MiB in the second half\n`);
const isSound = faults.length === 0 && isAlive && growth <= MAX_GROWTH_MIB;
process.stdout.write(isSound ? "\nEvery answer is a success, a page or an envelope.\n" : "\n");
process.exit(isSound ? 0 : 1);
