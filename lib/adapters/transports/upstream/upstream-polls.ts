import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";

export const Option = z.object({ option_id: z.string(), text: z.string() });
const Poll = z.object({ poll: z.object({ options: z.array(Option) }) });

async function readOptions(api: UpstreamApi, messageId: string, signal?: AbortSignal) {
  const { poll } = await api.call(`GET /v3/messages/${messageId}/poll`, {
    schema: Poll,
    ...(signal !== undefined && { signal }),
  });
  return poll.options;
}

/** The place of an option among the options of a poll; -1 for an unknown one. Throws AdapterError. */
export async function positionOf(api: UpstreamApi, messageId: string, optionId: string): Promise<number> {
  const options = await readOptions(api, messageId);
  return options.findIndex(({ option_id }) => option_id === optionId);
}

/** Adds options to a poll. An addition has no key, so options that the poll has already are not added again. */
export async function addOptions(
  api: UpstreamApi,
  { messageId, options }: { messageId: string; options: readonly { text: string }[] },
  signal: AbortSignal,
): Promise<void> {
  const present = (await readOptions(api, messageId, signal)).map(({ text }) => text);
  const missing = options.filter(({ text }) => !present.includes(text));
  if (missing.length === 0) return;
  await api.call(`POST /v3/messages/${messageId}/poll/options`, {
    schema: z.unknown(),
    body: { options: missing.map(({ text }) => ({ text })) },
    signal,
  });
}

interface Vote {
  messageId: string;
  optionId: string;
  position: number;
  isRemoved: boolean;
}

/** Adds or removes the line's vote. Options of our polls are found by their place. Throws AdapterError. */
export async function vote(
  api: UpstreamApi,
  { messageId, optionId, position, isRemoved }: Vote,
  signal: AbortSignal,
): Promise<void> {
  const options = await readOptions(api, messageId, signal);
  const option = options.find(({ option_id }) => option_id === optionId) ?? options[position];
  if (option === undefined) throw new AdapterError("rejected", "the poll of the upstream has no such option");
  await api.call(`POST /v3/messages/${messageId}/poll/votes`, {
    schema: z.unknown(),
    body: { operation: isRemoved ? "remove" : "add", option_id: option.option_id },
    signal,
  });
}
