export type Sum = { cents: number; text: string };

type SpendMeterProps = { spent: Sum; perDay: Sum | null; perPayment: Sum | null };

/** What the customer's cards of today come to, against what the account allows. */
export function SpendMeter({ spent, perDay, perPayment }: SpendMeterProps) {
  return (
    <section
      aria-label="Spend and caps"
      className="flex flex-col gap-2 rounded-xl border bg-card p-4 text-[0.8125rem] shadow-xs"
    >
      <h2 className="font-medium text-sm">Spend and caps</h2>
      <p className="tabular-nums">
        {spent.text} today{perDay === null ? ", no daily cap" : ` of ${perDay.text}`}
      </p>
      {perDay !== null && (
        <meter
          aria-label="Of the day's cap"
          className="h-2 w-full"
          min={0}
          max={Math.max(perDay.cents, 1)}
          value={spent.cents}
        />
      )}
      <p className="text-muted-foreground tabular-nums">
        {perPayment === null ? "No cap for one payment" : `At most ${perPayment.text} for one payment`}
      </p>
    </section>
  );
}
