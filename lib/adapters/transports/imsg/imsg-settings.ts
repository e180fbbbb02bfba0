import "server-only";
import { z } from "zod";
import { throughputSetting } from "@/lib/adapters/transports/throughput-setting";

/** The settings of a line's connection to a Mac. Each value is a string, as in a line's connection. */
export const ImsgSettings = z.object({
  ssh_host: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._@-]{0,252}$/, "must be a host, or a user and a host such as me@mac")
    .optional()
    .meta({
      label: "SSH host",
      help: "The Mac on which imsg runs, as in the SSH configuration of this machine. Empty = this machine.",
    }),
  assume_imessage: z.enum(["on", "off"]).prefault("on").meta({
    label: "Assume iMessage",
    help: "Without its bridge, imsg can't check who has iMessage. on: every recipient counts as reachable.",
  }),
  throughput: throughputSetting(
    { least: 0.01, most: 100, preset: 1 },
    "Messages per second, such as 0.5. Each part of a message counts. Apple blocks accounts that send too fast.",
  ),
});

export type ImsgSettings = z.infer<typeof ImsgSettings>;
