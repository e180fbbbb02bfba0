import { createServer } from "node:net";
import { expect, test } from "vitest";
import { requireFreePorts } from "@/lib/operations/startup/require-free-ports";

const settings = (more: Record<string, string>) => ({ NODE_ENV: "test" as const, ...more });

test("a taken port is named with its setting, and a free one, a worker's and METRICS_PORT 0 pass", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as { port: number };
  const at = { HOST: "127.0.0.1", PORT: String(port) };
  await expect(requireFreePorts(settings(at))).rejects.toThrow(
    `port ${port} is in use on 127.0.0.1, perhaps by another Trunkline. Stop that program, or set PORT to a free port.`,
  );
  const metrics = { ...at, ROLE: "worker", METRICS_PORT: String(port) };
  await expect(requireFreePorts(settings(metrics))).rejects.toThrow(/set METRICS_PORT/);
  await requireFreePorts(settings({ ...at, ROLE: "worker" }));
  await requireFreePorts(settings({ ...at, ROLE: "worker", METRICS_PORT: "0" }));
  await new Promise((resolve) => taken.close(resolve));
  await requireFreePorts(settings(at));
});

test("a host is read without the spaces around it", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as { port: number };
  await expect(requireFreePorts(settings({ HOST: " 127.0.0.1 ", PORT: String(port) }))).rejects.toThrow(
    `port ${port} is in use on 127.0.0.1,`,
  );
  await new Promise((resolve) => taken.close(resolve));
});

test("a host that is no address of this machine is named", async () => {
  await expect(requireFreePorts(settings({ HOST: "192.0.2.1", PORT: "8080" }))).rejects.toThrow(
    /^HOST 192\.0\.2\.1/,
  );
});
