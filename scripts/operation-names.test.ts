import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** The names of the contracts that a route file passes to `endpoint()` or its relatives, by method and path. */
function readOperations(pattern: string): Map<string, string[]> {
  const operations = new Map<string, string[]>();
  for (const file of globSync(pattern)) {
    for (const route of readFileSync(file, "utf8").split("\nexport const ").slice(1)) {
      const names = [...route.matchAll(/(?:[eE]ndpoint|apiRoute)\(\s*([A-Z]\w*)/g)].map(
        ([, name = ""]) => name,
      );
      const path = file.replace(/^app\/\w+|\/route\.ts$/g, "").replaceAll("_", "-");
      if (names.length > 0) operations.set(`${/^[A-Z]+/.exec(route)} ${path}`, names);
    }
  }
  return operations;
}

function namesOf(...groups: Map<string, string[]>[]): Set<string> {
  return new Set(groups.flatMap((operations) => [...operations.values()].flat()));
}

const v3 = readOperations("app/v3/**/route.ts");
const dashboard = readOperations("app/api/**/route.ts");
const api = namesOf(v3, ...["v1", "simulator"].map((area) => readOperations(`app/${area}/**/route.ts`)));
const every = new Set([...api, ...namesOf(dashboard)]);

const READ = /^(?:Get|List|Stream|Show|Search|Find|Read)([A-Z]\w*)$/;
const VIEW = /Views?$/;

/** "PaymentRequest" for GetPaymentRequest, ListPaymentRequests and their views; null for an operation that changes. */
function nounRead(name: string): string | null {
  const noun = READ.exec(name.replace(VIEW, ""))?.[1];
  return noun?.replace(/ies$/, "y").replace(/s$/, "") ?? null;
}

/** Whether an operation that only the dashboard has breaks a rule of docs/architecture.md. */
function isMisnamed(name: string, ofApi: ReadonlySet<string>): boolean {
  if (name.endsWith("AsUser")) return !ofApi.has(name.replace(/AsUser$/, ""));
  const noun = nounRead(name);
  return noun !== null && [...ofApi].some((other) => nounRead(other) === noun) !== VIEW.test(name);
}

/** Whether two operations under one path have names that show it: ListChats and ListChatViews. */
function arePaired(ofApi: string, ofDashboard: string): boolean {
  if (ofDashboard === ofApi || ofDashboard === `${ofApi}AsUser`) return true;
  return VIEW.test(ofDashboard) && nounRead(ofDashboard) === nounRead(ofApi);
}

describe("the names of operations", () => {
  test("an operation of the dashboard is a View where the API reads the same noun, and only there", () => {
    const own = [...namesOf(dashboard)].filter((name) => !api.has(name));

    expect(own.filter((name) => isMisnamed(name, api))).toEqual([]);
    expect(own.filter((name) => VIEW.test(name)).length).toBeGreaterThan(15);
  });

  test("operations under the same path of /v3 and of the dashboard have one noun", () => {
    const shared = [...dashboard].flatMap(([place, [name = ""]]) => {
      const [ofApi] = v3.get(place) ?? [];
      return ofApi === undefined ? [] : [{ place, ofApi, name }];
    });

    expect(shared.filter(({ ofApi, name }) => !arePaired(ofApi, name))).toEqual([]);
    expect(shared.length).toBeGreaterThan(20);
  });

  test("a dry run is named Try and then the operation that it does not carry out", () => {
    const dryRuns = [...every].filter((name) => /^Try[A-Z]/.test(name));

    expect(dryRuns.filter((name) => !every.has(name.replace(/^Try/, "")))).toEqual([]);
    expect(dryRuns.length).toBeGreaterThan(3);
  });

  test.each([
    ["ShowPayment", true],
    ["SearchPayments", true],
    ["GetPaymentView", false],
    ["ListPaymentViews", false],
    ["GetDelivery", true],
    ["GetReplay", false],
    ["ListReplayViews", true],
    ["CancelPaymentAsUser", false],
    ["RefundPaymentAsUser", true],
    ["RefundPayment", false],
  ])("%s beside GetPayment, ListDeliveries and CancelPayment is misnamed: %s", (name, expected) => {
    expect(isMisnamed(name, new Set(["GetPayment", "ListDeliveries", "CancelPayment"]))).toBe(expected);
  });

  test.each([
    ["ListChats", "ListChats", true],
    ["ListChats", "ListChatViews", true],
    ["ListChats", "ListConversations", false],
    ["CreateChat", "CreateChatAsUser", true],
    ["CreateChat", "StartChat", false],
  ])("%s of the API and %s of the dashboard are a pair: %s", (ofApi, ofDashboard, expected) => {
    expect(arePaired(ofApi, ofDashboard)).toBe(expected);
  });
});
