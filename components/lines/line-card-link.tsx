import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

/** The name that recipients see for a line, with a link to its contact card. */
export function LineCardLink({ line, mayManage }: { line: LineDetails; mayManage: boolean }) {
  const { contact_card: card } = line;
  const does = mayManage
    ? card === null
      ? "Create contact card"
      : "Edit contact card"
    : "View contact card";
  return (
    <Card>
      <CardHeader>
        <CardTitle>Contact card</CardTitle>
        <CardDescription>
          The name and photo that recipients see after you share the card with them.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-3">
        <p>
          {card === null ? (
            <span className="text-muted-foreground">
              No contact card. Recipients see only the phone number.
            </span>
          ) : (
            <>
              {[card.first_name, card.last_name].filter(Boolean).join(" ")}
              {!card.is_active && (
                <span className="text-destructive-text"> The line rejected this card. Save it again.</span>
              )}
            </>
          )}
        </p>
        {(mayManage || card !== null) && (
          <Button asChild variant="outline" size="sm">
            <Link href={`/lines/${line.id}/contact-card`}>{does}</Link>
          </Button>
        )}
      </CardContent>
    </Card>
  );
}
