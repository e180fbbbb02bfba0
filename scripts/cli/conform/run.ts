import { randomUUID } from "node:crypto";
import { CliError } from "@/scripts/cli/cli-error";
import { type ApiDocument, type Operation, operationsOf } from "@/scripts/cli/conform/api-document";
import type { ApiRequest, ApiResponse } from "@/scripts/cli/conform/api-request";
import { type Area, type Check, Checks, type Finding, type Subject } from "@/scripts/cli/conform/check";
import {
  describeResponse,
  type Expected,
  examine,
  limitProblems,
} from "@/scripts/cli/conform/examine-response";
import { AreaEnded, HttpClient } from "@/scripts/cli/conform/http-client";
import { removalOf } from "@/scripts/cli/conform/removals";
import { SendGuard } from "@/scripts/cli/conform/send-guard";
import { textAt } from "@/scripts/cli/conform/value-at";

/** The IDs and numbers that the run knows or created, by the names of path parameters. */
export interface World {
  /** An ID that exists nowhere. */
  unknownId: string;
  /** The number of a line of the account. */
  line?: string;
  /** Who may be written to. */
  recipient?: string;
  /** The recipient is a simulated phone in an account of the run's own. */
  isOwn: boolean;
  [name: string]: string | boolean | undefined;
}

interface RunSetup {
  baseUrl: string;
  token: string;
  timeoutSeconds: number;
  /** How long a delivery may take. */
  waitSeconds: number;
  document: ApiDocument;
}

/** The values of one call of an operation. */
export interface Call {
  path?: Readonly<Record<string, string>>;
  query?: string;
  body?: unknown;
  raw?: string;
  headers?: Readonly<Record<string, string>>;
  token?: string | null;
  isLimitExpected?: boolean;
}

/** A part of the run needs an operation that another document does not have. */
class NotDocumented extends Error {}

/** One run: its client, its checks, what it knows and what it has to remove. */
export class Run {
  readonly checks = new Checks((text) => this.http.withoutSecrets(text));
  readonly guard = new SendGuard();
  readonly http: HttpClient;
  readonly document: ApiDocument;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly waitMs: number;
  readonly world: World = { unknownId: randomUUID(), isOwn: false };
  private readonly removals: ApiRequest[] = [];
  private readonly unremovable = new Set<string>();

  constructor(setup: RunSetup) {
    this.document = setup.document;
    this.waitMs = setup.waitSeconds * 1000;
    this.operations = new Map(operationsOf(setup.document).map((one) => [one.name, one]));
    this.http = new HttpClient({
      ...setup,
      guard: this.guard,
      onResponse: (request, response) => this.note(request, response),
    });
    this.guard.own(this.world.unknownId);
  }

  /** Throws NotDocumented if the document has no such operation. */
  operation(name: string): Operation {
    const found = this.operations.get(name);
    if (found === undefined) throw new NotDocumented(`the document has no operation ${name}`);
    return found;
  }

  /** Calls an operation of the document. */
  call(name: string, call: Call = {}): Promise<ApiResponse> {
    const { path: values = {}, query = "", ...rest } = call;
    const { method, path } = this.operation(name);
    const filled = path.replace(/\{(\w+)\}/g, (_, one: string) => {
      const value = String(values[one] ?? this.world[one] ?? this.world.unknownId);
      // Clients leave these two as they are (docs/contract.md, section 1.7).
      return encodeURIComponent(value).replaceAll("%2B", "+").replaceAll("%40", "@");
    });
    return this.http.send({ method, path: query === "" ? filled : `${filled}?${query}`, ...rest });
  }

  /** Calls an operation and adds the check of its response. */
  async check(
    subject: Omit<Subject, "request" | "expected"> & { expected?: string },
    name: string,
    { expect, ...call }: Call & { expect: Expected },
  ): Promise<{ response: ApiResponse; check: Check }> {
    const response = await this.call(name, call);
    const finding = this.examine(name, response, expect);
    const codes = expect.codes === undefined ? "" : ` with ${expect.codes.join(" or ")}`;
    const expected = `${[expect.status].flat().join(" or ")}${codes}, as ${name} documents it`;
    const check = this.add({ expected, ...subject, request: response.request }, finding);
    return { response, check };
  }

  /** Compares the response to an operation with the document and with what is expected. */
  examine(name: string, response: ApiResponse, expected: Expected): Finding {
    const { isOwn } = this.world;
    return examine(this.document, this.operation(name), response, { ...expected, isOwn });
  }

  add(subject: Subject, finding: Finding): Check {
    return this.checks.add(subject, finding);
  }

  /**
   * Runs a part of an area. What it can't read in a response is a difference, and an operation that the document does not have
   * skips the part; the next one runs.
   */
  async attempt(area: Area, name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CliError || error instanceof AreaEnded) throw error;
      const seen = error instanceof Error ? error.message : String(error);
      if (error instanceof NotDocumented) return this.checks.skip(area, name, seen);
      const subject = { area, section: "1.2", expected: "responses that can be used" } as const;
      this.add({ ...subject, name: `${name} to the end` }, { problems: [seen] });
    }
  }

  /** Removes what the run created, the last thing first. Returns what could not be removed, and why. */
  async removeAll(): Promise<string[]> {
    const left = [...this.unremovable];
    let reason: string | null = null;
    for (const request of this.removals.splice(0).reverse()) {
      const problem: string | null = reason ?? (await this.remove(request));
      // Nothing else is removed from a server that stopped responding.
      if (problem?.includes("stopped responding") === true) reason = problem;
      if (problem !== null) left.push(`${request.method} ${request.path}: ${problem}`);
    }
    return left.map((one) => this.http.withoutSecrets(one));
  }

  /** Returns why it was not removed; null if it is gone. */
  private async remove(request: ApiRequest): Promise<string | null> {
    try {
      const response = await this.http.send({ ...request, isRemoval: true });
      const { status } = response;
      return (status >= 200 && status < 300) || [404, 410].includes(status)
        ? null
        : describeResponse(response);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Adds the removal of what a response created, and forgets that of what a request has just removed. */
  private noteRemoval(request: ApiRequest, response: ApiResponse): void {
    const key = keyOf(request);
    const isSuccess = response.status >= 200 && response.status < 300;
    const removed = this.removals.findLastIndex((one) => keyOf(one) === key);
    if (removed >= 0 && isSuccess) this.removals.splice(removed, 1);
    if (request.method === "DELETE" && isSuccess) this.forget(request.path);
    const removal = removalOf(request, response);
    if (removal === null) return;
    const [path = request.path] = request.path.split("?");
    if (removal.request === undefined) {
      const reason = response.failure ?? "the response has no usable ID";
      return void this.unremovable.add(`${request.method} ${path}: ${reason}`);
    }
    const { id, isMessage } = removal;
    if (isMessage === true && !this.guard.ownChatOf(response.json)) {
      const reason = `${id} is not in a chat with only the named people`;
      return void this.unremovable.add(`${request.method} ${path}: ${reason}`);
    }
    if (id !== undefined && !this.guard.own(id)) {
      return void this.unremovable.add(`${request.method} ${path}: ${id} existed before the run`);
    }
    if (!this.removals.some((one) => keyOf(one) === keyOf(removal.request as ApiRequest))) {
      this.removals.push(removal.request);
    }
  }

  /** Later requests are about something that exists: forgets the ID that a deletion has removed. */
  private forget(path: string): void {
    const { world } = this;
    const id = DELETED.exec(path)?.[1];
    if (id === undefined) return;
    const names = Object.keys(world).filter((name) => world[name] === id && !LASTING.has(name));
    for (const name of names) world[name] = undefined;
    world.messageId ??= world.openingId;
  }

  private note(request: ApiRequest, response: ApiResponse): void {
    const secret = textAt(response.json, "signing_secret");
    if (secret !== undefined) this.http.redact(secret);
    if (request.isRemoval !== true) this.noteRemoval(request, response);
    if (response.status !== 429) return;
    const name = `429 of ${request.method} ${request.path.split("?")[0]?.replace(/[0-9a-f-]{36}/g, "{id}")}`;
    if (this.checks.has(`limits/${name}`)) return;
    this.add(
      {
        ...{ area: "limits", name, section: "3.3", request: response.request },
        expected: "429/1007 with retry_after, and the same Retry-After",
      },
      { problems: limitProblems(response) },
    );
  }
}

/** Names that a deletion does not end: the run chose their values, and uses them again. */
const LASTING = new Set(["unknownId", "name", "messageKey", "line", "recipient"]);
/** A deletion of one thing. */
const DELETED = /^\/v3\/[a-z_-]+\/([^/?]+)$/;

function keyOf({ method, path, body }: ApiRequest): string {
  return `${method} ${path} ${JSON.stringify(body) ?? ""}`;
}
