import { execFile } from "node:child_process";
import { expect, test } from "vitest";

const MODULE = new URL("run-measurement.mjs", import.meta.url).href;

test("runMeasurement stops its parts in reverse order after a success", async () => {
  expect(await measure(`async () => { stops.push(stop("a"), stop("b")); }`)).toEqual({
    code: 0,
    stdout: "b\na\n",
    stderr: "",
  });
});

test("runMeasurement reports an error and stops", async () => {
  const { code, stdout, stderr } = await measure(
    `async () => { stops.push(stop("a")); throw new Error("no disk"); }`,
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: "a\n" });
  expect(stderr).toContain("The measurement failed: Error: no disk");
});

test("a signal stops everything before the process ends, although the measurement fails meanwhile", async () => {
  expect(
    await measure(`async () => {
      let fail;
      const failed = new Promise((_, reject) => { fail = reject; });
      stops.push(stop("a"), stop("b"), async () => fail(new Error("channel closed")));
      process.kill(process.pid, "SIGINT");
      await failed;
    }`),
  ).toEqual({ code: 1, stdout: "b\na\n", stderr: "" });
});

test("the next function runs although one failed", async () => {
  expect(
    await measure(`async () => { stops.push(stop("a"), async () => { throw new Error("gone before"); }); }`),
  ).toEqual({ code: 0, stdout: "a\n", stderr: "gone before\n" });
});

/** Runs a measurement in a process of its own. `stop` returns a function that takes two turns of the event loop. */
function measure(source: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `
    import { setImmediate } from "node:timers/promises";
    import { runMeasurement } from ${JSON.stringify(MODULE)};
    const stops = [];
    const stop = (name) => async () => { await setImmediate(); await setImmediate(); console.log(name); };
    setInterval(() => undefined, 1000);
    await runMeasurement(${source}, stops);`;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "--eval", script], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
