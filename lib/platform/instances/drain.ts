import "server-only";

const shared = globalThis as typeof globalThis & { trunklineDrain?: AbortController };

function controller(): AbortController {
  shared.trunklineDrain ??= new AbortController();
  return shared.trunklineDrain;
}

/** Aborted when this process starts to shut down, which ends long responses (event streams). */
export function drainSignal(): AbortSignal {
  return controller().signal;
}

export function isDraining(): boolean {
  return controller().signal.aborted;
}

export function beginDrain(): void {
  controller().abort();
}
