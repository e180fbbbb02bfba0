import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { LineDetails } from "@/lib/lines/lines/get-line-details";

/** What recipients see a line as, and the way to change it. */
export function LineCardLink({ line, mayManage }: { line: LineDetails; mayManage: boolean }) {
  const { contact_card: card } = line;
  const does = mayManage ? (card === null ? "Set up the contact card" : "Edit the contact card") : "Show it";
  return (
    <Card>
      <CardHeader>
        <CardTitle>Contact card</CardTitle>
        <CardDescription>
          The name and picture recipients see when the card is shared with them.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-3">
        <p>
          {card === null ? (
            <span className="text-muted-foreground">None yet: recipients see the number alone.</span>
          ) : (
            <>
              {[card.first_name, card.last_name].filter(Boolean).join(" ")}
              {!card.is_active && (
                <span className="text-destructive-text"> The line did not take it: try again.</span>
              )}
            </>
          )}
        </p>
        {(mayManage || card !== null) && (
          <Button asChild variant="outline" size="sm">
            <Link href={`/contact-cards/${line.id}`}>{does}</Link>
          </Button>
        )}
      </CardContent>
    </Card>
  );
}
