import type { Operation } from "@/scripts/cli/conform/api-document";
import { type BadInput, badBodies, badParameters } from "@/scripts/cli/conform/areas/bad-inputs";
import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { nameUnreachableCodes } from "@/scripts/cli/conform/areas/error-codes";
import { reasonToSkip, reasonWithout } from "@/scripts/cli/conform/areas/operation-step";
import { STEPS } from "@/scripts/cli/conform/areas/run-operations";
import { SEND_ERRORS } from "@/scripts/cli/conform/areas/send-errors";
import { codeOf, describeResponse, NOT_OFFERED } from "@/scripts/cli/conform/examine-response";
import type { Run } from "@/scripts/cli/conform/run";
import { idAt } from "@/scripts/cli/conform/value-at";

const SEND = "POST /v3/chats";
/** MCP answers in its own envelope. */
const OTHER_ENVELOPES = ["POST /mcp", "GET /v1/webhook-logs", "GET /partner-id"];

const SCHEDULED = "scheduled";
/** Create the objects that invalid requests are about. They are removed at the end. */
const CREATIONS = ["POST /v3/attachments", "POST /v3/webhook-subscriptions"];

/** The area `inputs`: invalid requests, derived from the document and from the rules of a send. */
export async function runInputs(run: Run): Promise<void> {
  await checkRouting(run);
  await run.attempt("inputs", "what was deleted", () => createAgain(run));
  for (const operation of run.operations.values()) {
    if (OTHER_ENVELOPES.includes(operation.name)) continue;
    await run.attempt("inputs", operation.name, () => checkOperation(run, operation));
  }
  await checkSends(run);
  nameUnreachableCodes(run);
}

/** Creates what the area `operations` deleted, so that invalid bodies are sent to something that exists. */
async function createAgain(run: Run): Promise<void> {
  const { world } = run;
  for (const step of STEPS.filter((one) => CREATIONS.includes(one.op) || one.as === SCHEDULED)) {
    const { op, keep = {}, body } = step;
    const isMissing = Object.keys(keep).some((name) => world[name] === undefined);
    if (!isMissing || !run.operations.has(op) || reasonToSkip(step, world) !== null) continue;
    const { json } = await run.call(op, { body: body?.(world) });
    for (const [name, path] of Object.entries(keep)) world[name] = idAt(json, path);
  }
}

/** Paths and methods that do not exist. */
async function checkRouting(run: Run): Promise<void> {
  const cases = [
    { method: "GET", path: "/v3/no_such_path", status: 404 },
    { method: "PATCH", path: "/v3/phone_numbers", status: 405 },
  ];
  for (const { method, path, status } of cases) {
    const response = await run.http.send({ method, path, ...(method === "PATCH" && { body: {} }) });
    const isRefused = response.status === status && codeOf(response) === 1003;
    const problems = isRefused ? [] : [describeResponse(response)];
    if (status === 405 && response.headers.get("allow") === null)
      problems.push("the header Allow is missing");
    const expected = `${status}/1003${status === 405 ? " with Allow" : ""}`;
    const subject = { area: "inputs", name: `${method} ${path}`, section: "1.1", expected } as const;
    run.add({ ...subject, request: response.request }, { problems });
  }
}

async function checkOperation(run: Run, operation: Operation): Promise<void> {
  const { world, document } = run;
  const all = STEPS.filter(({ op }) => op === operation.name);
  const usable = all.filter((one) => reasonToSkip({ ...one, op: "" }, world) === null);
  const ofOperation = usable.length === 0 ? all : usable;
  const step = ofOperation.find(({ body }) => body !== undefined) ?? ofOperation[0];
  const reason = step === undefined ? null : reasonToSkip({ ...step, op: "" }, world);
  // A faulty server may accept an invalid request.
  if (step?.isOwnOnly === true && !world.isOwn) {
    return run.checks.skip("inputs", operation.name, reason ?? "");
  }
  const canUse = step !== undefined && reason === null;
  const example = canUse ? step.body?.(world) : null;
  const path = canUse ? (step.path?.(world) ?? {}) : {};
  const query = canUse ? step.query?.(world) : undefined;
  const { isOwn } = world;
  const bodies = badBodies(document, operation, { example, isOwn }).map((input) => ({
    ...input,
    path,
    ...(query !== undefined && { query }),
  }));
  // Without a valid body, the body may be rejected first.
  const isComplete = operation.body === null || example != null;
  const inputs = badParameters(operation, world.unknownId).filter(
    ({ status }) => isComplete || status !== 404,
  );
  const parameters = inputs.map((input) => ({
    ...(operation.body !== null && { body: example ?? {} }),
    ...input,
    path: { ...path, ...input.path },
  }));
  for (const input of [...bodies, ...parameters]) await checkInput(run, operation, input);
}

async function checkInput(run: Run, operation: Operation, input: BadInput): Promise<void> {
  const { name, section, status, codes, isExtension, ...call } = input;
  const response = await run.call(operation.name, call);
  // Without an ID that exists, the request may be rejected for this reason first.
  const isUnknown = Object.values(call.path ?? {}).includes(run.world.unknownId) || !hasIds(run, operation);
  const isBodyCase = call.raw !== undefined || section === "1.2";
  const allowed = isBodyCase && isUnknown ? [status, 403, 404] : status;
  const documented = isBodyCase && isUnknown && response.status !== 400 && response.status !== 415;
  const isIgnored = isExtension === true && response.status < 300 && response.status > 0;
  const finding = isIgnored
    ? { skip: NOT_OFFERED }
    : run.examine(operation.name, response, {
        status: allowed,
        ...(codes !== undefined && !documented && { codes }),
      });
  const subject = { area: "inputs", name: `${operation.name}: ${name}`, section } as const;
  const expected = `${status}${codes === undefined ? "" : `/${codes.join(" or ")}`}`;
  run.add({ ...subject, expected, request: response.request }, finding);
}

/** Whether the run knows an ID for each parameter of the path. */
function hasIds(run: Run, { parameters }: Operation): boolean {
  return parameters.every(({ in: place, name }) => place !== "path" || run.world[name] !== undefined);
}

async function checkSends(run: Run): Promise<void> {
  const { world } = run;
  const reason = reasonWithout(["chatId"], world);
  for (const { name, section, message, more, status, codes } of SEND_ERRORS) {
    if (reason !== null) {
      run.checks.skip("inputs", `a send: ${name}`, reason);
      continue;
    }
    const content = message?.(world) ?? textMessage("Conformance test");
    const body = { from: world.line, to: [world.recipient], message: content, ...more };
    const response = await run.call(SEND, { body });
    const expected = `${status}/${codes.join(" or ")}`;
    run.add(
      { area: "inputs", name: `a send: ${name}`, section, expected, request: response.request },
      run.examine(SEND, response, { status, codes }),
    );
  }
}
