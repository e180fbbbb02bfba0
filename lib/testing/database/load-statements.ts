import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { knownStatements, type Statement, type StatementName } from "@/lib/platform/database/statement";

const modules = import.meta.glob<unknown>(["/lib/**/*.ts", "!/lib/**/*.test.ts", "!/lib/testing/**"]);

/** Loads every module that defines statements, and returns the statements by name. */
export async function loadStatements(): Promise<ReadonlyMap<string, Statement<StatementName>>> {
  for (const [file, load] of Object.entries(modules)) {
    if (readFileSync(path.join(process.cwd(), file), "utf8").includes("/database/statement")) await load();
  }
  return new Map(knownStatements().map((statement) => [statement.name, statement]));
}

/** The files that compose the text of statements at run time, without their folders. */
export function filesWithComposedText(): string[] {
  const files = ["lib", "app"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
      .map(({ parentPath, name }) => path.join(parentPath, name)),
  );
  return files
    .filter((file) => !file.startsWith(path.join("lib", "testing")))
    .filter((file) => /\.runText\b/.test(readFileSync(file, "utf8")))
    .map((file) => path.basename(file))
    .sort();
}
