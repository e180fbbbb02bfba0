export type Sum = { minor: number; text: string };

type SpendMeterProps = { spent: Sum; perDay: Sum | null; perPayment: Sum | null };

/** The total of the customer's cards created today, compared with the account's limits. */
export function SpendMeter({ spent, perDay, perPayment }: SpendMeterProps) {
  return (
    <section
      aria-label="Spending limits"
      className="flex flex-col gap-2 rounded-xl border bg-card p-4 text-[0.8125rem] shadow-xs"
    >
      <h2 className="font-medium text-sm">Spending limits</h2>
      <p className="tabular-nums">
        {spent.text} today{perDay === null ? ", no daily limit" : ` of ${perDay.text}`}
      </p>
      {perDay !== null && (
        <meter
          aria-label="Share of the daily limit"
          className="h-2 w-full"
          min={0}
          max={Math.max(perDay.minor, 1)}
          value={spent.minor}
        />
      )}
      <p className="text-muted-foreground tabular-nums">
        {perPayment === null ? "No per-payment limit" : `Up to ${perPayment.text} per payment`}
      </p>
    </section>
  );
}
