import "server-only";
import type { Processor } from "@/lib/adapters/processors/processor";
import { sandboxProcessor } from "@/lib/adapters/processors/sandbox/sandbox-processor";
import { stripeProcessor } from "@/lib/adapters/processors/stripe/stripe-processor";

const PROCESSORS: ReadonlyMap<string, Processor> = new Map(
  [sandboxProcessor, stripeProcessor].map((processor) => [processor.name, processor]),
);

/** Returns the processor of this name. Throws for an unknown name. */
export function processorOf(name: string): Processor {
  const processor = PROCESSORS.get(name);
  if (processor === undefined) throw new Error(`there is no processor "${name}"`);
  return processor;
}

/** The processor of sandbox accounts that have not connected another one. */
export const SANDBOX_PROCESSOR = sandboxProcessor.name;
