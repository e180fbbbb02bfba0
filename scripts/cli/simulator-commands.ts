import type { Command } from "commander";
import { clientOf, globalOptions, print } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";
import { parseDuration } from "@/scripts/cli/parse-duration";

interface Clock {
  now: string;
  offset_ms: number;
  frozen: boolean;
  rate?: number;
  ran?: { type: string; count: number }[];
}

interface Fault {
  id: string;
  match: Record<string, unknown>;
  effect: { type: string } & Record<string, unknown>;
  matched: number;
  applied: number;
}

/** Adds `trigger`, `clock` and `fault`, which control the simulator of a sandbox. */
export function addSimulatorCommands(program: Command): void {
  program
    .command("trigger")
    .description("create an event and deliver it as any other (sandbox)")
    .argument("<event type>", "such as message.received")
    .option("--data <json>", "fields of the event's data to set", parseJsonObject)
    .option("--ids <json>", 'IDs to use, such as {"chat_id":"…"}', parseJsonObject)
    .addHelpText(
      "after",
      `
Example:
  trunkline trigger message.failed --json`,
    )
    .action(async (type: string, body: { data?: object; ids?: object }, command: Command) => {
      const common = globalOptions(command);
      const triggered = await clientOf(common).call<{ event_id: string; deliveries: unknown }>(
        `POST /simulator/trigger/${encodeURIComponent(type)}`,
        { body },
      );
      const count = Array.isArray(triggered.deliveries) ? triggered.deliveries.length : triggered.deliveries;
      print(common, triggered, [`Event       ${triggered.event_id}`, `Deliveries  ${count}`]);
    });

  addClockCommand(program);
  addFaultCommand(program);
}

function addClockCommand(program: Command): void {
  program
    .command("clock")
    .description("show or change the platform clock (sandbox; the instance needs CLOCK_CONTROL=1)")
    .argument("[change]", "advance, freeze, resume, rate or reset")
    .argument("[value]", "a duration such as 16m for advance, a factor for rate")
    .option("--run", "run due work until none is left")
    .addHelpText(
      "after",
      `
Examples:
  trunkline clock
  trunkline clock advance 16m --run               past the edit window
  trunkline clock freeze
  trunkline clock rate 60                         one hour per minute
  trunkline clock reset`,
    )
    .action(
      async (
        change: string | undefined,
        value: string | undefined,
        { run }: { run?: true },
        command: Command,
      ) => {
        const common = globalOptions(command);
        const client = clientOf(common);
        const body =
          change === undefined
            ? undefined
            : { ...clockChange(change, value), ...(run && { run_until_idle: true }) };
        const clock =
          body === undefined
            ? await client.call<Clock>("GET /simulator/clock")
            : await client.call<Clock>("POST /simulator/clock", { body });
        const ran = (clock.ran ?? []).map(({ type, count }) => `Ran ${count} × ${type}`);
        print(common, clock, [
          `${clock.now}${clock.frozen ? " (frozen)" : ""}, ${Math.round(clock.offset_ms / 1000)} s from the wall clock`,
          ...ran,
        ]);
      },
    );
}

function clockChange(change: string, value: string | undefined): object {
  if (change === "freeze") return { freeze: true };
  if (change === "resume") return { freeze: false };
  if (change === "reset") return { reset: true };
  if (change === "advance" && value !== undefined) return { advance: parseDuration(value) };
  if (change === "rate" && Number(value) > 0) return { rate: Number(value) };
  throw new CliError("usage", "Use: trunkline clock advance 16m, freeze, resume, rate 60 or reset.");
}

function addFaultCommand(program: Command): void {
  const fault = program.command("fault").description("list, add or remove faults of the simulator (sandbox)");

  fault
    .command("list", { isDefault: true })
    .description("show the faults with how often each matched and applied")
    .action(async (_: object, command: Command) => {
      const common = globalOptions(command);
      const { faults } = await clientOf(common).call<{ faults: Fault[] }>("GET /simulator/faults");
      print(common, { faults }, faults.length === 0 ? "No faults." : faults.map(toLine));
    });

  fault
    .command("add")
    .description("add a fault")
    .requiredOption("--match <json>", 'what it affects, such as {"handle":"+15550100101"}', parseJsonObject)
    .requiredOption(
      "--effect <json>",
      'what happens, such as {"type":"latency","delay_ms":2000}',
      parseJsonObject,
    )
    .option("--when <json>", 'how often, such as {"first":3}', parseJsonObject)
    .addHelpText(
      "after",
      `
Examples:
  trunkline fault add --match '{"route":"POST /v3/chats"}' --effect '{"type":"error","code":1007}' --when '{"first":2}'
  trunkline fault add --match '{"event":"message.received"}' --effect '{"type":"duplicate"}'`,
    )
    .action(async (body: object, command: Command) => {
      const common = globalOptions(command);
      const added = await clientOf(common).call<Fault>("POST /simulator/faults", { body });
      print(common, added, toLine(added));
    });

  fault
    .command("remove")
    .description("remove one fault, or all")
    .argument("[id]", "ID of the fault")
    .option("--all", "remove all faults")
    .action(async (id: string | undefined, { all }: { all?: true }, command: Command) => {
      const common = globalOptions(command);
      if ((id === undefined) === (all === undefined))
        throw new CliError("usage", "Set the ID of a fault, or --all.");
      const path = id === undefined ? "/simulator/faults" : `/simulator/faults/${encodeURIComponent(id)}`;
      await clientOf(common).call(`DELETE ${path}`);
      print(common, { removed: id ?? "all" }, "Removed.");
    });
}

function toLine({ id, match, effect, matched, applied }: Fault): string {
  return `${id}  ${JSON.stringify(match)}  ${JSON.stringify(effect)}  matched ${matched}, applied ${applied}`;
}

function parseJsonObject(text: string): object {
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new CliError("usage", `${text} is not a JSON object.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
