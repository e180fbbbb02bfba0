import { expect, test } from "vitest";
import {
  clientAddress,
  clientNetwork,
  isProxySetting,
  isTrustedProxy,
} from "@/lib/platform/http/client-address";

test.each([
  ["", "203.0.113.9", "10.0.0.1"],
  ["1", "6.6.6.6, 203.0.113.9", "203.0.113.9"],
  ["2", "6.6.6.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
  ["3", "203.0.113.9", "203.0.113.9"],
  ["10.0.0.0/8", "6.6.6.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
  ["10.0.0.0/8", "6.6.6.6, not an address, 10.0.0.2", "10.0.0.2"],
  ["192.168.0.0/16", "203.0.113.9", "10.0.0.1"],
  ["10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
  ["1", "[2001:db8::7]:4711", "2001:db8::7"],
  ["1", undefined, "10.0.0.1"],
])("with TRUST_PROXY=%s and X-Forwarded-For %s the client is %s", (trustProxy, forwardedFor, client) => {
  expect(clientAddress("::ffff:10.0.0.1", forwardedFor, trustProxy)).toBe(client);
});

test.each([
  ["", "10.0.0.1", false],
  ["0", "10.0.0.1", false],
  ["1", "203.0.113.9", true],
  ["10.0.0.0/8", "::ffff:10.0.0.1", true],
  ["10.0.0.0/8,::1", "::1", true],
  ["10.0.0.0/8", "203.0.113.9", false],
  ["10.0.0.0/8", undefined, false],
])("with TRUST_PROXY=%s a connection from %s comes from a trusted proxy: %s", (trustProxy, peer, trusted) => {
  expect(isTrustedProxy(peer, trustProxy)).toBe(trusted);
});

test("a connection without an address has none", () => {
  expect(clientAddress(undefined, undefined, "")).toBeNull();
});

test("an IPv6 host counts as its /64, an IPv4 host as itself", () => {
  expect(clientNetwork("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(clientNetwork("203.0.113.9")).toBe("203.0.113.9");
});

test("a setting is a number of proxies or a list of addresses", () => {
  expect(["", "2", "10.0.0.0/8, ::1"].every(isProxySetting)).toBe(true);
  expect(["yes", "10.0.0.0/40", "10.0.0.1,", "-1"].some(isProxySetting)).toBe(false);
});
