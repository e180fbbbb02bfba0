import { type BuildOptions, build, type Metafile } from "esbuild";
import { expect, test } from "vitest";
import { serverBundle } from "./build.mjs";

/** Packages that only some processes use, each at least a twentieth of a start. */
const LATER = [
  "@modelcontextprotocol/server",
  "@simplewebauthn/server",
  "jose",
  "marked",
  "minisearch",
  "next-auth/jwt",
  "nodemailer",
  "openid-client",
  "sharp",
];

/** The files that a start of the server reads, and what they import from packages. */
function readAtStart({ outputs }: Metafile): { files: string[]; packages: Set<string> } {
  const files = new Set(["dist/server.mjs"]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind !== "import-statement") continue;
      if (external) packages.add(path);
      else files.add(path);
    }
  }
  return { files: [...files], packages };
}

test("a start reads neither the API's documents nor packages that few processes use", async () => {
  const options = serverBundle("production") as BuildOptions;
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const { files, packages } = readAtStart(metafile);

  expect(packages).toContain("pg");
  expect(LATER.filter((name) => packages.has(name))).toEqual([]);
  const sources = files.flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
  expect(sources).toContain("server.ts");
  expect(sources.filter((source) => source.startsWith("openapi"))).toEqual([]);
  const used = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(LATER.filter((name) => !used.includes(name))).toEqual([]);
});
