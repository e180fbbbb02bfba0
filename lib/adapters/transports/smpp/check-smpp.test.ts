import { afterEach, expect, test } from "vitest";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { smppTransport } from "@/lib/adapters/transports/smpp/smpp-transport";
import { newId } from "@/lib/platform/ids";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { TEST_CERTIFICATE } from "@/lib/testing/servers/test-certificate";
import { type SmscOptions, startSmsc } from "@/lib/testing/vendors/smsc";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1,localhost";

const LINE: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "iMessage",
};
let smsc: Awaited<ReturnType<typeof startSmsc>> | undefined;

afterEach(async () => {
  await smsc?.close();
  smsc = undefined;
});

async function check(options: SmscOptions, settings: Record<string, string> = {}): Promise<void> {
  smsc = await startSmsc(options);
  await checkAt(smsc.port, settings);
}

async function checkAt(port: number, settings: Record<string, string> = {}): Promise<void> {
  const given = { host: "localhost", port: String(port), system_id: "trunkline", password: "secret" };
  await smppTransport.test?.(LINE, { ...given, tls: "off", ...settings }, AbortSignal.timeout(10_000));
}

test("a bind that works is ended", async () => {
  await check({});
  expect(smsc?.binds).toBe(1);
  await expect.poll(() => smsc?.bound).toBe(0);
});

test("a bind over TLS works with the certificate of its authority", async () => {
  const { key, cert } = TEST_CERTIFICATE;
  await check({ key, cert }, { tls: "on", ca: cert });
});

test.each([
  ["a wrong password", {}, { password: "wrong" }, "refused the system ID or the password"],
  ["an unknown system ID", {}, { system_id: "another" }, "refused the system ID or the password"],
  ["TLS where there is none", {}, { tls: "on" }, "does not use TLS on this port"],
  [
    "a certificate of an unknown authority",
    { key: TEST_CERTIFICATE.key, cert: TEST_CERTIFICATE.cert },
    { tls: "on" },
    "The certificate is not trusted",
  ],
  ["a host that does not exist", {}, { host: "smsc.invalid" }, "The host name does not exist"],
])("%s is explained", async (_, options, settings, reason) => {
  await expect(check(options, settings)).rejects.toMatchObject({
    kind: "rejected",
    message: expect.stringContaining(reason),
  });
});

test("a port where nothing listens is explained", async () => {
  await expect(checkAt(await findFreePort())).rejects.toMatchObject({
    message: expect.stringContaining("Nothing listens there"),
  });
});
