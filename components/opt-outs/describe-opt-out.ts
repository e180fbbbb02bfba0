import type { OptOut } from "@/lib/recipients/opt-outs/list-opt-outs";

type NamedActor = OptOut["by"];

const UNNAMED: Record<string, string> = { api: "an API token", user: "a user", system: "the operator" };

/** The display name of an actor. */
export function actorName(actor: NamedActor): string {
  if (actor === null) return "an unknown user";
  if (actor.name === null) return UNNAMED[actor.type] ?? actor.type;
  return actor.type === "api" ? `API token "${actor.name}"` : actor.name;
}

/** Describes the start of an opt-out. */
export function describeOptOutStart({ cause, keyword, by, source_file: file }: OptOut): string {
  if (cause === "keyword") return `Wrote “${keyword}”`;
  if (file !== null) return `Imported by ${actorName(by)} from “${file}”`;
  return `Opted out by ${actorName(by)}`;
}

/** Describes the end of an opt-out. null while it is in effect. */
export function describeOptOutEnd({ end_cause, ended_by }: OptOut): string | null {
  if (end_cause === null) return null;
  return end_cause === "person" ? `Opted in by ${actorName(ended_by)}` : "Wrote again";
}
