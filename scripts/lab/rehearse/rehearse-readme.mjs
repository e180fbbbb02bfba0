import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inCleanClone } from "./clone-repository.mjs";
import { readCodeBlocks } from "./read-code-blocks.mjs";
import { runShell, startShell, waitFor } from "./run-shell.mjs";

const SECTIONS = ["Start", "Send a message", "Receive a webhook", "Answer a person"];

/**
 * Runs the commands of the README's sections, and nothing else, in a clean clone: the instance starts, the first messages
 * are accepted, the README's webhook server verifies the webhook of a message from a simulated phone, and the README's agent
 * answers a burst of messages once.
 */
export async function rehearseReadme({ step }) {
  await inCleanClone(async (clone) => {
    const readme = readFileSync(path.join(clone, "README.md"), "utf8");
    const [[start], [send, hello], [server, listen, say], [agent, run, burst, inbox]] = SECTIONS.map(
      (title) => readCodeBlocks(readme, title),
    );
    const env = { TRUNKLINE_CONFIG_DIR: path.join(clone, "..", "config") };
    const instance = startShell(start.code, { cwd: clone, env });
    let listening;
    let answering;
    try {
      await step("the commands of “Start”, until the instance is ready", () =>
        waitFor("the first start", instance, async () => {
          readFileSync(path.join(clone, ".data", "first-run.json"));
          return (await fetch("http://localhost:3000/ready")).ok ? true : null;
        }),
      );
      writeFileSync(path.join(clone, hello.file), hello.code);
      await step("“Send a message”, with curl and with the client", async () => {
        const sent = await runShell(`${send.code}\nnode ${hello.file}`, { cwd: clone, env });
        if (!/"delivery_status":"pending"[\s\S]* pending$/m.test(sent)) throw new Error(`not sent:\n${sent}`);
      });
      writeFileSync(path.join(clone, server.file), server.code);
      listening = startShell(listen.code, { cwd: clone, env });
      await step("“Receive a webhook”, until listen says that signatures are verified", () =>
        waitFor("the check of signatures", listening, async () =>
          /verifies signatures/.test(listening.output()) ? true : null,
        ),
      );
      await runShell(say.code, { cwd: clone, env });
      await step("a message from the phone, until the server prints its event", () =>
        waitFor("the webhook", listening, async () =>
          /^message\.received$/m.test(listening.output()) ? true : null,
        ),
      );
      writeFileSync(path.join(clone, agent.file), agent.code);
      answering = startShell(run.code, { cwd: clone, env });
      await step("“Answer a person”, until the agent runs", () =>
        waitFor("the agent", answering, async () =>
          // It refuses requests without a signature.
          (await fetch("http://localhost:4001")).status === 401 ? true : null,
        ),
      );
      await runShell(burst.code, { cwd: clone, env });
      await step("five messages from the phone, until their one answer is in its inbox", () =>
        waitFor("the answer", answering, async () =>
          /I read 5: Hi \|/.test(await runShell(inbox.code, { cwd: clone, env })) ? true : null,
        ),
      );
    } finally {
      await answering?.stop();
      await listening?.stop();
      await instance.stop();
    }
  });
}
