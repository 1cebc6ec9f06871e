import { Failure } from "../../../domain/failure.ts";
import { readOpenOptions } from "../../../domain/browser/open-options.ts";
import type { Form } from "../../kit/form.ts";
import { toErrorResponse } from "../../../api/errors.ts";
import { bodyReader } from "../../../contract/validation.ts";
import { isUsedUp } from "../../../domain/account/allowance.ts";
import type { Guards } from "../../kit/guards.ts";
import type { Page } from "../../kit/layout.ts";
import { OPEN_FIELDS, toBody } from "./open-fields.ts";
import { NOTHING_ENTERED, type OpenEntered, renderCannotOpen, renderOpen } from "./open-view.ts";
import type { PageContext } from "../../kit/page-context.ts";
import type { PageServices } from "../../kit/page-services.ts";

/** Mounts the form that opens a browser, with the API's options, validation and errors. */
export function mountOpen({ user }: Guards, { fleet, subscriptions, baseOf }: PageServices): void {
  user.get("/dashboard/open", async (context) => {
    const allowance = await subscriptions.read(context.account);
    // Show why the account can't open browsers before the user fills in the form.
    if (allowance.plan !== undefined && !isUsedUp(allowance)) return context.show(toPage(context, NOTHING_ENTERED));
    return context.show({ ...toPage(context, NOTHING_ENTERED), main: renderCannotOpen(context.frame, allowance) });
  });

  user.post("/dashboard/open", async (context, form) => {
    const { c, account } = context;
    try {
      const options = readOpenOptions(
        bodyReader().read("openBrowser", toBody(OPEN_FIELDS, form), readOpenOptions) ?? {},
      );
      await fleet.openBrowser({ account, options, base: baseOf(c), disconnected: c.req.raw.signal });
      return context.goTo("/dashboard?done=opened");
    } catch (error) {
      if (!(error instanceof Failure) || error.failure === "Unknown") throw error;
      const { retryAfterS } = error;
      if (retryAfterS !== undefined) c.header("Retry-After", String(Math.ceil(retryAfterS)));
      return context.show(toPage(context, toEntered(form, error)), toPageStatus(error));
    }
  });
}

function toPage({ frame }: PageContext, entered: OpenEntered): Page {
  return {
    title: "Open a browser",
    current: "/dashboard",
    main: renderOpen(frame, entered),
    styles: ["dashboard/browsers/open.css"],
  };
}

function toEntered(form: Form, { failure, message, errors }: Failure): OpenEntered {
  const text = (name: string): string => form.text(name);
  if (errors !== undefined) {
    return { text, faults: new Map(errors.map((error) => [error.path, error.message])), refusal: undefined };
  }
  const isAboutPlan = failure === "NoSubscription" || failure === "NoUnits";
  return { text, faults: new Map(), refusal: { message, isAboutPlan } };
}

/** The API's status, unless web browsers interpret it differently. */
function toPageStatus(failure: Failure): 400 | 403 | 409 | 503 {
  const { status } = toErrorResponse(failure, "");
  if (status === 503) return 503;
  if (status === 400) return 400;
  return status === 404 ? 409 : 403;
}
