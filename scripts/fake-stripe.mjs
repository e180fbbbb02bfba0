// The fake Stripe of the tests as a process:
// `PORT=12111 INSTANCE_URL=http://localhost:3000 node scripts/fake-stripe.mjs`.
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const outfile = path.join(root, ".generated", `fake-stripe-${process.pid}.mjs`);

await build({
  entryPoints: [path.join(root, "lib/testing/stripe/fake-stripe-process.ts")],
  outfile,
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  packages: "external",
  logLevel: "warning",
});
try {
  await import(pathToFileURL(outfile).href);
} finally {
  const { rm } = await import("node:fs/promises");
  await rm(outfile, { force: true });
}
