import { Home } from "lucide-react";
import { expect, test } from "vitest";
import { customerCommands, handleCommands } from "@/components/shell/palette/handle-commands";
import { actionsFor } from "@/components/shell/palette/palette-actions";
import {
  commandValue,
  rankGroups,
  selectedValue,
  withoutPaths,
} from "@/components/shell/palette/rank-commands";
import { addRecent, parseRecent, type RecentCommand } from "@/components/shell/palette/recent-commands";

const command = (label: string, keywords: string[] = []) => ({
  id: label,
  label,
  icon: Home,
  keywords,
  run: () => {},
});
const GROUPS = [
  { label: "Go to", commands: [command("Chats", ["messages"]), command("Chat health"), command("Lines")] },
  { label: "Commands", commands: [command("Flag a line")] },
  { label: "Recent", commands: [] },
];
const labels = (query: string) =>
  rankGroups(GROUPS, query).map((group) => [group.label, ...group.commands.map(({ label }) => label)]);

test("commands that match are listed best first, in any order of words; groups without a match are left out", () => {
  expect(labels("health chat")).toEqual([["Go to", "Chat health"]]);
  expect(labels("messages")).toEqual([["Go to", "Chats"]]);
  expect(labels("flag")).toEqual([["Commands", "Flag a line"]]);
  expect(labels("line")).toEqual([
    ["Go to", "Lines"],
    ["Commands", "Flag a line"],
  ]);
  expect(labels("zebra")).toEqual([]);
  expect(labels("")).toEqual([
    ["Go to", "Chats", "Chat health", "Lines"],
    ["Commands", "Flag a line"],
  ]);
});

test("the first command is selected until the user chooses another one, also when results arrive late", () => {
  const results = [{ label: "Results", commands: [command("+15550100101"), command("+15550100102")] }];
  const [first, second] = ["+15550100101", "+15550100102"].map((id) => commandValue("Results", id));
  expect(selectedValue([], null)).toBe("");
  expect(selectedValue(results, null)).toBe(first);
  expect(selectedValue(results, second ?? "")).toBe(second);
  expect(selectedValue(results, "results:gone")).toBe(first);
});

test("the newest five paths are recent, each once", () => {
  const open = (at: number): RecentCommand => ({ href: `/${at}`, label: `${at}` });
  const recent = [1, 2, 3, 4, 5, 6, 3].map(open).reduce<RecentCommand[]>(addRecent, []);
  expect(recent.map(({ label }) => label)).toEqual(["3", "6", "5", "4", "2"]);
  expect(parseRecent(JSON.stringify(recent))).toEqual(recent);
});

test.each([null, "", "{", "{}", '[{"href":1}]', '[{"href":"javascript:alert(1)","label":"x"}]'])(
  "a stored text that is missing or damaged has nothing recent: %s",
  (stored) => {
    expect(parseRecent(stored)).toEqual([]);
  },
);

test("actions are offered by right", () => {
  expect(actionsFor(() => false)).toEqual([]);
  expect(actionsFor((right) => right === "manage_blocks").map(({ label }) => label)).toEqual([
    "Block a number",
  ]);
});

test("a complete phone number or email address can be blocked and opted out, by right", () => {
  const labelsOf = (text: string, may = (_: string) => true) =>
    handleCommands(text, may, () => {}).map(({ label }) => label);
  expect(labelsOf("+1 555 010 0101")).toEqual(["Block +1 555 010 0101…", "Opt out +1 555 010 0101…"]);
  expect(labelsOf("block ada@example.com")).toEqual(["Block ada@example.com…"]);
  expect(labelsOf("opt-out +15550100101")).toEqual(["Opt out +15550100101…"]);
  expect(labelsOf("Opt Out +15550100101")).toEqual(["Opt out +15550100101…"]);
  for (const text of ["", "+1555", "block", "block ada", "unblock +15550100101", "5550100101"]) {
    expect(labelsOf(text)).toEqual([]);
  }
  expect(labelsOf("+15550100101", (right) => right === "manage_blocks")).toEqual(["Block +15550100101…"]);
  expect(labelsOf("block +15550100101", () => false)).toEqual([]);
});

test("a command about a handle opens its form with the handle", () => {
  const opened: string[] = [];
  handleCommands(
    "block +15550100101",
    () => true,
    (href) => opened.push(href),
  )[0]?.run();
  expect(opened).toEqual(["/blocked-handles?dialog=block&about=%2B15550100101"]);
});

test("a complete phone number or email address opens its customer, before any result", () => {
  const hrefs = (text: string, may = (_: string) => true) =>
    customerCommands(text, may, () => {}).map(({ href }) => href);
  expect(hrefs("+1 (555) 010-0101")).toEqual(["/customers/+15550100101"]);
  expect(hrefs("Ada@Example.com")).toEqual(["/customers/ada@example.com"]);
  for (const text of ["", "+1555", "block +15550100101", "ada"]) expect(hrefs(text)).toEqual([]);
  expect(hrefs("+15550100101", (right) => right !== "view_chats")).toEqual([]);
});

test("a result that opens what is listed already is not listed again", () => {
  const open = (href: string) => ({ ...command(href), href });
  const found = [
    { label: "Results", commands: [open("/customers/%2B15550100101"), open("/chats/1"), command("x")] },
  ];
  const [results] = withoutPaths(found, [open("/customers/+15550100101")]);
  expect(results?.commands.map(({ label }) => label)).toEqual(["/chats/1", "x"]);
});
