import { spawn } from "node:child_process";
import { expect, test } from "@playwright/test";

const KILLS = 3;

test("a server that is killed in the middle of its work loses, repeats and invents nothing", async () => {
  const { status, output } = await runKillTest();

  expect(output).toContain(`kill ${KILLS}/${KILLS}`);
  expect(status, output).toBe(0);
});

function runKillTest(): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, ["scripts/lab/kill-test.mjs", "--kills", String(KILLS)]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, output })));
}
