import { startServer } from "../../instance/start-server.mjs";
import { openDatabases } from "../bench/open-databases.mjs";
import { createDemo } from "../ten-million/create-demo.mjs";
import { fillAccount } from "../ten-million/fill-account.mjs";
import { readParams } from "../ten-million/read-params.mjs";
import { rowCounts } from "../ten-million/row-counts.mjs";

/** One row per chat. */
const OF_CHATS = ["chats", "participants", "line_contacts"];

/**
 * Starts an instance whose account has this number of chats and messages, and as many rows of everything else as such
 * an account would have. Returns it with the session of its admin and the path parameters of its pages. `close` stops
 * the instance and deletes its data.
 */
export async function openFilled({ chats, messages, report }) {
  const databases = await openDatabases({ names: ["filled"] });
  try {
    const database = databases.filled;
    const demo = await createDemo(database);
    const counts = {
      ...rowCounts(messages),
      ...Object.fromEntries(OF_CHATS.map((table) => [table, chats])),
    };
    report(`filling ${chats} chats and ${messages} messages`);
    await fillAccount(database, { demo, counts, until: Date.now(), report });
    const params = await readParams(database, { demo, counts });
    const server = await startServer({ ...database.env, ROLE: "web" });
    return {
      baseUrl: server.baseUrl,
      cookie: demo.cookie,
      session: sessionOf(demo.cookie, server.baseUrl),
      demo: { params: { ...demo.params, ...params }, pages: [] },
      close: async () => {
        await server.stop();
        await databases.close();
      },
    };
  } catch (error) {
    await databases.close();
    throw error;
  }
}

/** A Cookie header as the storage state of a browser. */
function sessionOf(cookie, baseUrl) {
  const { hostname } = new URL(baseUrl);
  const cookies = cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return {
      ...{ name: pair.slice(0, at), value: pair.slice(at + 1), domain: hostname, path: "/" },
      ...{ expires: -1, httpOnly: true, secure: false, sameSite: "Lax" },
    };
  });
  return { cookies, origins: [] };
}
