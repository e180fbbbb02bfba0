import { spawnSync } from "node:child_process";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { parseRequest, requestSnippets } from "@/lib/docs/reference/request-snippets";
import { hasTool } from "@/lib/testing/find-tool";
import { readSamples, type Sample } from "@/lib/testing/samples/doc-samples";
import { installApart } from "@/scripts/install-apart.mjs";

const SAMPLES = readSamples();
const ROOT = path.resolve(".");

/** The tests that check the samples of each language. */
const CHECKED: Readonly<Record<string, string>> = {
  http: "guide-examples.test.ts",
  sh: "shell-samples.test.ts",
  json: "this file",
  ts: "this file",
  js: "this file",
  python: "this file",
  go: "this file",
  csv: "import-v2.test.ts reads such files",
  ini: "a setting of PgBouncer",
  text: "output",
  "": "output",
};

const inLanguages = (...languages: string[]) =>
  SAMPLES.filter(({ language }) => languages.includes(language));

test("a test checks the samples of every language", () => {
  expect(SAMPLES.length).toBeGreaterThan(150);
  expect(SAMPLES.filter(({ language }) => CHECKED[language] === undefined)).toEqual([]);
});

test("every JSON sample is JSON", () => {
  const wrong = inLanguages("json").filter(({ text }) => !isJson(text));
  expect(wrong).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A program in memory. `name` = its path below the repository, so that it finds the packages. */
interface Program {
  name: string;
  source: string;
}

/** The samples of one file of a document are one program. Other samples are programs of their own. */
function toPrograms(samples: readonly Sample[], ending: string): Program[] {
  const groups = Map.groupBy(samples, (sample) =>
    sample.title === null ? sample : `${sample.file} ${sample.title}`,
  );
  return [...groups.values()].map((blocks, at) => ({
    name: `${blocks[0]?.file.replaceAll(/\W/g, "-")}-${at}.${ending}`,
    source: blocks.map(({ text }) => text).join("\n\n"),
  }));
}

const SNIPPETS: Program[] = inLanguages("http").map(({ file, text }, at) => {
  const request = parseRequest(text);
  const variables = [...request.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name]) => `declare const ${name}: string;`,
  );
  return {
    name: `${file.replaceAll(/\W/g, "-")}-request-${at}.ts`,
    source: `${requestSnippets(request).typescript}\n${variables.join("\n")}`,
  };
});

/** The program of a reader, which a sample imports. */
const READERS_PROGRAM: Program = {
  name: "your-program.ts",
  source: "export async function handleWebhook(event: object, at: { url: string; token: string }) {}",
};

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  esModuleInterop: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  paths: { "@/*": ["./*"], "trunkline/testing": ["./lib/testkit/testing.ts"] },
};

/** The errors of TypeScript in programs that exist only in memory. */
function typeErrors(programs: readonly Program[], options: ts.CompilerOptions): string[] {
  const sources = new Map(
    [READERS_PROGRAM, ...programs].map(({ name, source }) => [path.join(ROOT, name), source]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.readFile = (file) => sources.get(file) ?? readFile(file);
  host.getSourceFile = (file, version, ...more) => {
    const source = sources.get(file);
    return source === undefined
      ? getSourceFile(file, version, ...more)
      : ts.createSourceFile(file, source, version);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return [...sources.keys()]
    .flatMap((file) => program.getSourceFile(file) ?? [])
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, messageText }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, " ");
      return `${path.basename(file?.fileName ?? "")}: ${message}`;
    });
}

const isScript = ({ language, title }: Sample) => language === "js" || title?.endsWith(".mjs") === true;

test("every TypeScript sample and every request in TypeScript type-checks against the real packages", () => {
  const samples = inLanguages("ts").filter((sample) => !isScript(sample));
  expect(samples.length).toBeGreaterThan(40);
  expect(SNIPPETS.length).toBeGreaterThan(60);
  const programs = toPrograms(samples, "ts").flatMap(besideEve);
  expect(typeErrors([...programs, ...SNIPPETS], OPTIONS)).toEqual([]);
}, 180_000);

const eve = await installApart("eve");

/** A program that imports eve finds it where it is installed. Without the registry it is left out. */
function besideEve(program: Program): Program[] {
  if (!program.source.includes('from "eve/')) return [program];
  if (eve === null) return [];
  const folder = path.relative(ROOT, path.dirname(path.dirname(eve)));
  return [{ ...program, name: path.join(folder, program.name) }];
}

/** JavaScript converts values on its own, so only unknown names are errors: of variables, modules, exports and properties. */
const UNKNOWN_NAME = /cannot find|does not exist|has no exported member|expected/i;

test("every JavaScript sample uses names, packages and methods that exist", () => {
  const scripts = SAMPLES.filter(isScript);
  expect(scripts.length).toBeGreaterThan(4);
  const options = { ...OPTIONS, allowJs: true, checkJs: true, strict: false };
  const errors = typeErrors(toPrograms(scripts, "mjs"), options);
  expect(errors.filter((error) => UNKNOWN_NAME.test(error))).toEqual([]);
}, 180_000);

test("the check of types finds an unknown method, module and property", () => {
  const source = `import LinqAPIV3 from "@linqapp/sdk";
import { createSimulators } from "trunkline/testing";
await new LinqAPIV3({ apiKey: "key" }).chats.creates({});
const none = (await createSimulators()).nothing;`;
  const errors = typeErrors([{ name: "wrong.ts", source }], OPTIONS);
  expect(errors).toEqual([
    expect.stringMatching(/createSimulators.*$/),
    expect.stringMatching(/'creates' does not exist/),
  ]);
  expect(errors.every((error) => UNKNOWN_NAME.test(error))).toBe(true);
}, 180_000);

const COMPILE = `
import json, sys
for name, source in json.load(sys.stdin):
    try:
        compile(source, name, "exec")
    except SyntaxError as error:
        print(f"{name}: {error}")
`;

test.runIf(hasTool("python3"))("every Python sample and every request in Python compiles", () => {
  const requests = inLanguages("http").map(({ file, text }) => [
    file,
    requestSnippets(parseRequest(text)).python,
  ]);
  const samples = toPrograms(inLanguages("python"), "py").map(({ name, source }) => [name, source]);
  const input = JSON.stringify([...samples, ...requests]);
  const { stdout, stderr, status } = spawnSync("python3", ["-c", COMPILE], { input, encoding: "utf8" });
  expect({ stdout, stderr, status }).toEqual({ stdout: "", stderr: "", status: 0 });
});

test.runIf(hasTool("gofmt"))("every Go sample and every request in Go is Go", () => {
  const requests = inLanguages("http").map(({ text }) => requestSnippets(parseRequest(text)).go);
  const samples = toPrograms(inLanguages("go"), "go").map(({ source }) => source);
  for (const source of [...samples, ...requests]) {
    const { stderr } = spawnSync("gofmt", ["-e"], { input: source, encoding: "utf8" });
    expect([stderr, source]).toEqual(["", source]);
  }
});

const VERIFY = `
import json, sys
namespace = {}
exec(sys.argv[1], namespace)
for secret, headers, body in json.load(sys.stdin):
    print(namespace["verify"](secret, headers, body.encode()))
`;

test.runIf(hasTool("python3"))(
  "the Python function in docs/webhooks.md accepts a signature and rejects others",
  async () => {
    const { Webhook } = await import("standardwebhooks");
    const secret = `whsec_${Buffer.alloc(24, 5).toString("base64")}`;
    const sign = (body: string, at: Date) => ({
      "webhook-id": "event",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("event", at, body),
    });
    const now = new Date();
    const calls = [
      [secret, sign("{}", now), "{}"],
      [secret, sign("{}", now), "{ }"],
      [secret, sign("{}", new Date(now.getTime() - 600_000)), "{}"],
      [`whsec_${Buffer.alloc(24, 6).toString("base64")}`, sign("{}", now), "{}"],
    ];
    const sample = SAMPLES.find(({ file, language }) => file === "docs/webhooks.md" && language === "python");
    const { stdout } = spawnSync("python3", ["-c", VERIFY, sample?.text ?? ""], {
      input: JSON.stringify(calls),
      encoding: "utf8",
    });
    expect(stdout.trim().split("\n")).toEqual(["True", "False", "False", "False"]);
  },
);
