// Runs in a network namespace without interfaces other than loopback: starts the clone in argv[2] and prints when its API
// and its dashboard answer.

import path from "node:path";
import { callInstance } from "../../instance/call-instance.mjs";
import { readFirstRun } from "../../instance/open-instance.mjs";
import { startShell, waitFor } from "./run-shell.mjs";

const clone = process.argv[2];
const startedMs = performance.now();
const sinceStart = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
const isOnline = await fetch("http://192.0.2.1", { signal: AbortSignal.timeout(2000) }).then(
  () => true,
  (error) => error.cause?.code !== "ENETUNREACH",
);
if (isOnline) throw new Error("this process still has a network");

const instance = startShell("npm start", { cwd: clone, env: { PORT: "3000" } });
try {
  const demo = await waitFor("the first start", instance, async () => {
    const firstRun = readFirstRun(path.join(clone, ".data"));
    return (await fetch(`${firstRun.base_url}/ready`)).ok ? firstRun : null;
  });
  await callInstance({ baseUrl: demo.base_url, token: demo.token }, "POST /v3/chats", {
    from: demo.line,
    to: [demo.phone],
    message: { parts: [{ type: "text", value: "Hello" }] },
  });
  const page = await fetch(`${demo.base_url}/sign-in`);
  process.stdout.write(
    `a message is accepted after ${sinceStart()}, while /sign-in answers ${page.status}\n`,
  );
  await waitFor("the dashboard", instance, async () =>
    (await fetch(`${demo.base_url}/sign-in`)).ok ? true : null,
  );
  process.stdout.write(`the dashboard answers after ${sinceStart()}\n`);
} finally {
  await instance.stop();
}
