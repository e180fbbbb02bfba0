import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const ENTRY = "lib/testkit/testing.ts";
const IMPORT = /(from |import\()"@\/([^"]+)"/g;

/** Writes the type declarations of `trunkline/testing` and of what it imports into `folder`. */
export function writeDeclarations({ root, folder }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const project = path.join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify(settings(root, folder)));
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project], {
    cwd: root,
    encoding: "utf8",
  });
  rmSync(project);
  if (status !== 0) throw new Error(`The declarations could not be written:\n${stdout}`);
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
    resolveAliases(folder, file);
  }
}

function settings(root, folder) {
  return {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      emitDeclarationOnly: true,
      declaration: true,
      incremental: false,
      allowJs: true,
      rootDir: root,
      outDir: folder,
      baseUrl: root,
      ignoreDeprecations: "6.0",
      paths: { "@/*": ["./*"] },
      typeRoots: [path.join(root, "node_modules", "@types")],
    },
    include: [],
    files: [path.join(root, ENTRY)],
  };
}

/** Consumers don't have the alias "@/": imports become relative. */
function resolveAliases(folder, file) {
  const text = readFileSync(path.join(folder, file), "utf8");
  const resolved = text.replaceAll(IMPORT, (_, start, target) => {
    const relative = path.relative(path.dirname(file), `${target}.js`).split(path.sep).join("/");
    return `${start}"${relative.startsWith(".") && !relative.startsWith(".g") ? relative : `./${relative}`}"`;
  });
  writeFileSync(path.join(folder, file), resolved);
}
