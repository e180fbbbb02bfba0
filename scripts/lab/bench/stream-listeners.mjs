// Many listeners of GET /v3/events/stream in one process. The parent process sends { open: { url, token, count } } and
// receives { live } when all are connected. "forget" clears the results; "report" returns [[event id, received at in
// ms], …] of all listeners.
import http from "node:http";

const received = [];
const open = new Set();

process.on("message", async (asked) => {
  if (asked === "forget") received.length = 0;
  if (asked === "close") for (const request of open) request.destroy();
  if (typeof asked === "object") return process.send({ live: await openAll(asked.open) });
  process.send({ received });
});
process.on("disconnect", () => process.exit(0));

async function openAll({ url, token, count }) {
  const live = Array.from({ length: count }, () => openOne(`${url}/v3/events/stream`, token));
  return (await Promise.all(live)).length;
}

function openOne(address, token) {
  return new Promise((resolve, reject) => {
    const request = http.get(
      address,
      { headers: { authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        if (response.statusCode !== 200)
          return reject(new Error(`a listener was answered ${response.statusCode}`));
        let rest = "";
        response.setEncoding("utf8").on("data", (text) => {
          const at = performance.timeOrigin + performance.now();
          const blocks = (rest + text).split("\n\n");
          rest = blocks.pop();
          for (const block of blocks) handleBlock(block, at, resolve);
        });
      },
    );
    request.on("error", reject);
    open.add(request);
  });
}

function handleBlock(block, at, becomeLive) {
  if (block.includes("event: ready")) becomeLive();
  const [, eventId] = /"event_id":"([^"]+)"/.exec(block) ?? [];
  if (eventId !== undefined) received.push([eventId, at]);
}
