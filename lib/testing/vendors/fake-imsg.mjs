// A child process that speaks for the fake Mac of fake-mac.ts: `node fake-imsg.mjs PORT rpc`. Like imsg, it writes
// diagnostics to stderr and ends when stdin is closed and all requests are answered.
import { connect } from "node:net";

const [, , port, command] = process.argv;
if (command !== "rpc") {
  process.stderr.write(`imsg: unknown command ${command}\n`);
  process.exit(64);
}
process.stderr.write("imsg: opening the database\n");
const mac = connect({ host: "127.0.0.1", port: Number(port) });
mac.on("error", () => process.exit(1));
mac.on("close", () => process.exit(0));
process.stdin.on("data", (chunk) => mac.write(chunk));
process.stdin.on("end", () => mac.end());
mac.on("data", (chunk) => process.stdout.write(chunk));
