import { describe, expect, test } from "vitest";
import {
  canonicalHost,
  isAllowedTarget,
  isNamed,
  isRefusedHost,
  parseAllowList,
} from "@/lib/platform/guarded-fetch/target-rules";

const NONE = parseAllowList([]);
/** Lists every address there is, so only what may never be reached stays blocked. */
const EVERY_ADDRESS = parseAllowList(["0.0.0.0/0", "::/0"]);

const PUBLIC = ["8.8.8.8", "2606:4700::1111", "2000::1", "3fff:ffff::1"];
const OPENABLE = ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "::1", "fc00::1"];
const NEVER = [
  ["the metadata address of Azure", "168.63.129.16"],
  ["the metadata address of Alibaba", "100.100.100.200"],
  ["the metadata address of AWS", "169.254.169.254"],
  ["its IPv6 form", "fd00:ec2::254"],
  ["the metadata address of Google in IPv6", "fd20:ce::254"],
  ["the same, written out", "fd20:ce:0:0:0:0:0:254"],
  ["a link-local address", "169.254.1.1"],
  ["a link-local address in IPv6", "fe80::1"],
  ["the unspecified address", "0.0.0.0"],
  ["the unspecified address in IPv6", "::"],
  ["a broadcast", "255.255.255.255"],
  ["a multicast", "224.0.0.1"],
  ["an IPv4 address in a 6to4 tunnel", "2002:7f00:1::1"],
  ["an IPv6 address outside the global block", "4000::1"],
  ["something that is no address", "example.com"],
  ["nothing", ""],
] as const;

describe("isAllowedTarget", () => {
  test.each(PUBLIC)("%s is public", (address) => {
    expect(isAllowedTarget("hooks.example.com", address, NONE)).toBe(true);
  });

  test.each(OPENABLE)("%s is allowed by its host's name or by its block, and by nothing else", (address) => {
    expect(isAllowedTarget("hooks.test", address, NONE)).toBe(false);
    expect(isAllowedTarget("hooks.test", address, parseAllowList(["other.test"]))).toBe(false);
    expect(isAllowedTarget("HOOKS.test.", address, parseAllowList(["hooks.test"]))).toBe(true);
    expect(isAllowedTarget("hooks.test", address, parseAllowList([address]))).toBe(true);
    expect(isAllowedTarget("hooks.test", address, EVERY_ADDRESS)).toBe(true);
  });

  test.each(NEVER)("%s is never allowed: %s", (_what, address) => {
    const allow = parseAllowList(["hooks.test", "0.0.0.0/0", "::/0"]);
    expect(isAllowedTarget("hooks.test", address, allow)).toBe(false);
  });

  test("a block holds its own addresses only, of its own family", () => {
    const allow = parseAllowList(["10.1.0.0/16", "fc00::/64"]);
    const isAllowed = (address: string) => isAllowedTarget("hooks.test", address, allow);
    expect(["10.1.255.255", "fc00::ffff", "::ffff:10.1.0.1"].map(isAllowed)).toEqual([true, true, true]);
    expect(["10.2.0.1", "fc00:0:0:1::1", "127.0.0.1", "::1"].map(isAllowed)).toEqual(Array(4).fill(false));
  });

  test("a single address is a block of one", () => {
    const allow = parseAllowList(["10.0.0.1", "[fc00::1]"]);
    const isAllowed = (address: string) => isAllowedTarget("hooks.test", address, allow);
    expect(["10.0.0.1", "fc00::1"].map(isAllowed)).toEqual([true, true]);
    expect(["10.0.0.2", "127.0.0.1", "fc00::2"].map(isAllowed)).toEqual([false, false, false]);
  });
});

describe("isNamed", () => {
  test.each([
    ["a host by its name", "hooks.test", ["hooks.test"], true],
    ["a host in another spelling", "Hooks.TEST.", ["hooks.test"], true],
    ["another host", "hooks.test", ["other.test"], false],
    ["an address within a block", "10.0.0.7", ["10.0.0.0/8"], true],
    ["an IPv6 address in brackets", "[::1]", ["::1"], true],
    ["an address outside the block", "10.0.0.7", ["192.168.0.0/16"], false],
    ["localhost by its name", "localhost", ["localhost"], true],
    ["localhost by its address", "localhost", ["127.0.0.0/8"], true],
    ["localhost when another block is listed", "localhost", ["10.0.0.0/8"], false],
    ["a name when every address is listed", "hooks.test", ["0.0.0.0/0", "::/0"], false],
    ["a public address, which needs no entry", "8.8.8.8", ["0.0.0.0/0"], false],
    ["a metadata address", "169.254.169.254", ["0.0.0.0/0"], false],
  ])("%s", (_what, host, entries, expected) => {
    expect(isNamed(host, parseAllowList(entries))).toBe(expected);
  });
});

describe("isRefusedHost", () => {
  test.each([
    ["a public name", "hooks.example.com", NONE, false],
    ["a public address", "8.8.8.8", NONE, false],
    ["a name that only begins like localhost", "localhost.example.com", NONE, false],
    ["a name that only ends like localhost", "mylocalhost", NONE, false],
    ["no host", "", NONE, true],
    ["only a dot", ".", NONE, true],
    ["localhost", "localhost", NONE, true],
    ["localhost in another spelling", "LOCALHOST.", NONE, true],
    ["a name below localhost", "app.localhost", NONE, true],
    ["an unlisted private address", "10.0.0.1", NONE, true],
    ["an unlisted IPv6 address in brackets", "[::1]", NONE, true],
    ["a listed private address", "10.0.0.1", parseAllowList(["10.0.0.0/8"]), false],
    ["localhost that is listed", "localhost", parseAllowList(["localhost"]), false],
    ["localhost whose address is listed", "localhost", parseAllowList(["127.0.0.1"]), false],
    ["a listed name below localhost", "app.localhost", parseAllowList(["app.localhost"]), false],
    ["a name below localhost when localhost is listed", "app.localhost", parseAllowList(["localhost"]), true],
    ["a metadata address that is listed", "169.254.169.254", EVERY_ADDRESS, true],
  ])("%s", (_what, host, allow, expected) => {
    expect(isRefusedHost(host, allow)).toBe(expected);
  });
});

test.each([
  ["Hooks.Example.COM", "hooks.example.com"],
  ["hooks.test.", "hooks.test"],
  ["hooks.test..", "hooks.test."],
  ["[::1]", "::1"],
  ["a[b]c", "a[b]c"],
  ["a.b", "a.b"],
])("%s is written %s", (host, expected) => {
  expect(canonicalHost(host)).toBe(expected);
});

test.each(["", "two words", "a..b", ".a", "a/8", "10.0.0.0/33", "http://a"])(
  'parseAllowList rejects "%s" and names it',
  (entry) => {
    expect(() => parseAllowList(["hooks.test", entry])).toThrow(
      `"${entry}" is not a host, an IP address or a CIDR`,
    );
  },
);

test("parseAllowList accepts names of one and of many labels", () => {
  const { hosts, blocks } = parseAllowList(["localhost", "my_host-1.internal.test", "X.test."]);
  expect([...hosts]).toEqual(["localhost", "my_host-1.internal.test", "x.test"]);
  expect(blocks).toEqual([]);
});
