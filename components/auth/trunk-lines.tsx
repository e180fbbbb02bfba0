const lineCount = 15;
const spacing = 46;
const middle = ((lineCount - 1) / 2) * spacing + 60;
const join = 560;

const accents: Record<number, string> = {
  2: "stroke-service-imessage",
  5: "stroke-brand",
  9: "stroke-service-rcs",
  12: "stroke-service-sms",
};

function pathOf(index: number): string {
  const y = 60 + index * spacing;
  const bend = 180 + Math.abs(y - middle) * 0.28;
  return `M-20 ${y} H${bend} C${bend + 190} ${y} ${join - 190} ${middle} ${join} ${middle} H1000`;
}

/** The illustration beside the sign-in form: many lines that join one. Decorative. */
export function TrunkLines() {
  return (
    <svg
      viewBox={`0 0 900 ${middle * 2}`}
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
      className="size-full"
    >
      {Array.from({ length: lineCount }, (_, index) => index)
        .filter((index) => !accents[index])
        .map((index) => (
          <path key={index} d={pathOf(index)} strokeWidth="1.5" className="stroke-foreground/20" />
        ))}
      {Object.entries(accents).map(([index, stroke]) => (
        <path key={index} d={pathOf(Number(index))} strokeWidth="2" className={stroke} />
      ))}
      <path d={`M${join} ${middle}H1000`} strokeWidth="3" className="stroke-foreground" />
    </svg>
  );
}
