import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MODULE = fileURLToPath(new URL("when-parent-ends.mjs", import.meta.url));
const PROGRAM = `
  import { whenParentEnds } from ${JSON.stringify(MODULE)};
  setInterval(() => undefined, 1000);
  whenParentEnds(() => {
    console.log("stops");
    process.exit(0);
  });
  console.log("runs");`;

test.skipIf(process.platform === "win32")(
  "a program of npm stops when npm's shell has ended without passing the signal on",
  async () => {
    const shell = spawn("sh", ["-c", '"$0" --input-type=module -e "$1"; true', process.execPath, PROGRAM], {
      env: { ...process.env, npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    shell.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (text.includes("runs")) shell.kill("SIGTERM");
    });
    // The pipe is closed once the program has ended, too.
    await once(shell, "close");
    expect(output).toBe("runs\nstops\n");
  },
);

test.skipIf(process.platform === "win32")(
  "a program of npm whose parent ended while it was loaded stops at once",
  () => {
    const program = `
    import { takeParent, whenParentEnds } from ${JSON.stringify(MODULE)};
    whenParentEnds(() => console.log("stops"), takeParent());
    console.log(process.env.TRUNKLINE_NPM_PARENT ?? "taken");`;
    const run = (env: Record<string, string>) =>
      spawnSync(process.execPath, ["--input-type=module", "-e", program], {
        env: {
          PATH: process.env.PATH,
          TRUNKLINE_NPM_PARENT: "1000000000",
          ...env,
        } as unknown as NodeJS.ProcessEnv,
        encoding: "utf8",
      }).stdout;
    expect(run({ npm_lifecycle_event: "start" })).toBe("stops\ntaken\n");
    expect(run({})).toBe("taken\n");
  },
);
