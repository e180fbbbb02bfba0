// npm run statements: writes prisma/statement-types.ts, the types of every SQL statement as PostgreSQL
// describes them on the migrated schema. `--check`: fails when the file is out of date or a statement is invalid.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { generateSources, withoutServerOnly } from "./build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const TARGET = path.join(root, "prisma/statement-types.ts");
const DEFINES =
  /import \{[^}]*\b(?:statement|plannedStatement)\b[^}]*\} from "@\/lib\/platform\/database\/statement"/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes("--check")) generateSources();
  process.exitCode = await writeStatementTypes({ isCheck: process.argv.includes("--check") });
}

/** Returns the exit code: 0 when the file is written or up to date. */
async function writeStatementTypes({ isCheck }) {
  const folder = mkdtempSync(path.join(tmpdir(), "trunkline-statements-"));
  // When started by root, PostgreSQL runs as another user, who needs access to the folder.
  chmodSync(folder, 0o711);
  mkdirSync(path.join(root, "dist"), { recursive: true });
  const dist = mkdtempSync(path.join(root, "dist", "statements-"));
  try {
    const { describeStatements } = await loadStatements(dist);
    const { source, faults } = await describeStatements(folder);
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    if (faults.length > 0) return 1;
    if (!isCheck) writeFileSync(TARGET, source);
    else if (readFileSync(TARGET, "utf8") !== source) {
      process.stderr.write("prisma/statement-types.ts is out of date: run `npm run statements`.\n");
      return 1;
    }
    return 0;
  } finally {
    for (const made of [folder, dist]) rmSync(made, { recursive: true, force: true });
  }
}

/** Bundles and imports every module that defines statements, and what describes them. */
async function loadStatements(dist) {
  const files = readdirSync(path.join(root, "lib"), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts") && !file.endsWith(".d.ts"))
    .map((file) => path.join("lib", file))
    .filter((file) => DEFINES.test(readFileSync(path.join(root, file), "utf8")))
    .sort();
  const entry = [
    ...files.map((file) => `import "./${file}";`),
    `export { describeStatements } from "./scripts/statement-types/describe-statements.ts";`,
  ].join("\n");
  await build({
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    outfile: path.join(dist, "all.mjs"),
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    packages: "external",
    plugins: [withoutServerOnly],
    logLevel: "warning",
  });
  return import(pathToFileURL(path.join(dist, "all.mjs")).href);
}
