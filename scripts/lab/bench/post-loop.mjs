// The baseline for deliveries: posts the bytes of one webhook repeatedly with undici and does nothing else. The parent
// process sends { url, headers, body, connections, seconds } and receives { posted, seconds, cpuSeconds }.
import { Agent } from "undici";

process.on("message", async ({ url, headers, body, connections, seconds }) => {
  const { origin, pathname: path } = new URL(url);
  const agent = new Agent({ connections });
  const request = { origin, path, method: "POST", headers, body };
  const cpuBefore = process.cpuUsage();
  const from = performance.now();
  const until = from + seconds * 1000;
  let posted = 0;

  async function post() {
    while (performance.now() < until) {
      const answer = await agent.request(request);
      await answer.body.dump();
      posted++;
    }
  }

  await Promise.all(Array.from({ length: connections }, post));
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send({ posted, seconds: (performance.now() - from) / 1000, cpuSeconds: (user + system) / 1e6 });
  await agent.close();
});
process.on("disconnect", () => process.exit(0));
