import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { withoutServerOnly } from "@/scripts/build.mjs";

const ROOT = path.resolve(".");

interface RunOptions {
  /** null = no token in the environment. */
  token?: string | null;
  url?: string;
  input?: string;
}

/** Bundles the command line, whose processes use the instance at `url` with `token` unless a run says otherwise. */
export async function bundleCli(defaults: { url: string; token: string }) {
  const config = await mkdtemp(path.join(tmpdir(), "trunkline-cli-"));
  // In the repository, so that the bundle finds its packages.
  const bundle = await mkdtemp(path.join(ROOT, ".generated", "cli-"));
  await build({
    entryPoints: { cli: "scripts/cli.ts" },
    outdir: bundle,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [withoutServerOnly],
  });
  const children: ChildProcess[] = [];

  /** Starts the command line as a process. */
  function launch(
    args: readonly string[],
    { token = defaults.token, url = defaults.url, input }: RunOptions = {},
  ) {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [path.join(bundle, "cli.mjs"), ...args], {
      cwd: config,
      env: {
        PATH,
        HOME,
        TRUNKLINE_CONFIG_DIR: config,
        TRUNKLINE_URL: url,
        ...(token !== null && { TRUNKLINE_TOKEN: token }),
      } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
    });
    children.push(child);
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        output[stream] += text;
      });
    }
    child.stdin.end(input);
    return { child, output, ended: once(child, "close") as Promise<[number]> };
  }

  /** Runs the command line to its end. `json`: the parsed output. */
  async function run(args: readonly string[], options: RunOptions = {}) {
    const { output, ended } = launch(args, options);
    const [status] = await ended;
    // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
    const json = (): any => JSON.parse(output.stdout);
    return { status, ...output, json };
  }

  return {
    /** The directory in which the processes run, with their saved tokens. */
    config,
    launch,
    run,
    /** Ends the processes that still run. */
    endAll() {
      for (const child of children.splice(0)) child.kill("SIGKILL");
    },
    async remove() {
      await rm(bundle, { recursive: true });
      await rm(config, { recursive: true });
    },
  };
}
