import { measureSends } from "./measure-sends.mjs";

const PHONE_PATH = "/simulator/phones/+1556%07d/messages";

/**
 * Measures received messages per second. Simulated phones write to the line; each message goes through the same sink as
 * a transport's reports and is stored with its event before the response. One row per round and number of connections.
 */
export function measureInbound({ server, tenant, database, chats, ...options }) {
  const body = JSON.stringify({ to: tenant.line, text: "Is the table for two still free? KEY" });
  const target = { baseUrl: server.baseUrl, path: PHONE_PATH, token: tenant.token, count: chats, body };
  return measureSends([{ name: "inbound", pid: server.pid, database, target }], options);
}
