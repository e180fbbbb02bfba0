type Timing = {
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
};

const STEPS = [
  ["dns_ms", "DNS"],
  ["connect_ms", "Connect"],
  ["tls_ms", "TLS"],
  ["first_byte_ms", "First byte"],
] as const satisfies [keyof Timing, string][];

/** The phases of an attempt's latency. */
export function TimingSplit({ latencyMs, timing }: { latencyMs: number; timing: Timing | null }) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs tabular-nums">
      <Step name="Latency" ms={latencyMs} />
      {STEPS.map(([key, name]) => {
        const ms = timing?.[key] ?? null;
        return ms === null ? null : <Step key={key} name={name} ms={ms} />;
      })}
    </dl>
  );
}

function Step({ name, ms }: { name: string; ms: number }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted-foreground">{name}</dt>
      <dd>{ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms</dd>
    </div>
  );
}
