// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A kind of browser: 0 is Chrome, 2 is Chromium, and 3 is ChromeHeadlessShell, a small Chromium that is always
         *     headless. Other numbers, 1 included, are a `BadRequest`.
         * @enum {integer}
         */
        SupportedBrowser: 0 | 2 | 3;
        /**
         * @description A proxy of your own; `Host` and `Port` are required. Its credentials stay with the service: they do not appear
         *     on a command line or in a log. Each member has a second, camelCase spelling, named by `x-alias`.
         */
        Proxy: {
            /**
             * @description Name or address of the proxy. It may begin with `http://`, which is the default, `https://` or `socks5://`;
             *     any other scheme is a `BadRequest`, except `socks5h://`, which means the same as `socks5://`. It has 1 to 262
             *     characters, including the scheme. `Port` has the port.
             *
             *     A name consists of ASCII letters, digits, `-` and `_`, in labels separated by dots, and may end with a dot. An IPv6 address may be
             *     in brackets. Anything else, such as credentials, a port or a path, is a `BadRequest`.
             */
            Host: string;
            /** @description The proxy's port, from 1 to 65535, as a string of digits. A JSON number is a `BadRequest`. */
            Port: string;
            /**
             * @description User name for the proxy, of at most 1,024 characters. By default, the service sends the proxy no
             *     credentials.
             */
            Username?: string | null;
            /**
             * Format: password
             * @description Password for the proxy, of at most 1,024 characters. By default, it is empty. A password without a user name
             *     is a `BadRequest`.
             */
            Password?: string | null;
        };
        /**
         * @description The size of the browser's first page: its `innerWidth`, `innerHeight` and `devicePixelRatio`. `Width` and `Height` are required. The
         *     screen that the page sees can be larger: `screen.height` includes the frame of a graphical browser, with its tabs and address bar. A
         *     size that this kind of browser can't have, such as one with too many device pixels, is a `BadRequest`. Each member has a second,
         *     camelCase spelling, named by `x-alias`.
         */
        Screen: {
            /** @description Width in CSS pixels, from 200 to 3840. */
            Width: number;
            /** @description Height in CSS pixels, from 200 to 2160. */
            Height: number;
            /**
             * Format: double
             * @description Device pixels per CSS pixel, from 0.5 to 3. The default is 1.
             */
            Scale?: number | null;
        };
        /**
         * @description The options of Open. Every option may be omitted or `null`, which means the same. Each has a second, camelCase
         *     spelling, named by `x-alias`.
         */
        OpenOptions: {
            /**
             * @description Arguments for the browser's command line. They are added to the service's default arguments, and a switch
             *     that is also a default replaces that default. By default, the browser gets only the service's own. At most
             *     100, each of 1 to 4,096 characters.
             *
             *     Switches are allowed by name, and each deployment has its own list. Every list contains `--window-size`,
             *     `--force-device-scale-factor`, `--lang`, `--time-zone-for-testing`, `--user-agent`, `--hide-scrollbars`, `--mute-audio`,
             *     `--disable-gpu`, `--disable-extensions`, `--disable-notifications`, `--disable-features`, `--disable-blink-features` and
             *     `--no-first-run`. Some that many scripts contain and that would only weaken the browser's protection, such as `--no-sandbox` and
             *     `--disable-dev-shm-usage`, are accepted but have no effect. Switches that run programs, open files, move ports or proxies, and
             *     switches that are not in the list, are a `BadRequest` that names them.
             */
            Args?: string[] | null;
            /**
             * @description Default arguments that the service leaves out when it starts the browser, by the names of their switches. By
             *     default, the browser gets all of them. At most 100, each of 1 to 4,096 characters. A default that protects
             *     the machine or its other users cannot be removed: naming one is a `BadRequest`. A name that is not a default has no effect.
             */
            IgnoredDefaultArgs?: string[] | null;
            /**
             * @description Whether the browser runs without a graphical interface. The default is `false`: the browser has a screen,
             *     which a remote desktop can show. ChromeHeadlessShell is always headless.
             */
            Headless?: boolean | null;
            /**
             * @description Whether the browser hides that a program controls it: no automation switch, and a user agent, language and
             *     time zone that are consistent. The default is `true`. Some sites can still detect automation.
             */
            Stealth?: boolean | null;
            /**
             * @description Which kind of browser to open. The default is Chromium (2). For a kind that this deployment does not have,
             *     the response is 503 `BrowserUnavailable`.
             */
            Browser?: components["schemas"]["SupportedBrowser"] | null;
            /**
             * Format: double
             * @description How many **seconds** the browser stays open while no client is connected. The default is 30. Fractions are
             *     allowed. The period starts when the browser opens and whenever its last client or desktop viewer
             *     disconnects; while one is connected, the period does not run. A negative number is a `BadRequest`.
             *
             *     0, and every value above the maximum lifetime of the account's plan, mean that maximum. On a plan without a
             *     maximum lifetime, 0 means that the browser stays open until it is closed.
             */
            KeepOpen?: number | null;
            /**
             * @description The proxy for the browser's traffic. By default, the service assigns one of its own when the browser opens;
             *     if it has none, the browser connects directly.
             */
            Proxy?: components["schemas"]["Proxy"] | null;
            /**
             * @description A name by which you recognize the browser in the list. It does not have to be unique. It has at most 256
             *     characters, counted as Unicode code points, and is listed as it was sent. By default, the browser has no
             *     label, and the list shows `null`.
             */
            Label?: string | null;
            /**
             * @description Words by which you find browsers, such as the name of a job: at most 20, each of 1 to 128 characters. They are listed as they were
             *     sent. By default, the browser has no tags.
             */
            Tags?: string[] | null;
            /**
             * Format: double
             * @description How many **seconds** after its opening the browser is closed, even if clients are connected. By default, it is the maximum
             *     lifetime of the account's plan. Fractions are allowed. 0, and every value above that maximum, mean the maximum. A negative number
             *     is a `BadRequest`.
             */
            Lifetime?: number | null;
            /**
             * Format: double
             * @description How many **seconds** the request may take if it has to wait, because the account has reached its parallel limit or the machine is
             *     full. Waiting and starting the browser count together. Fractions are allowed, and the maximum is 45. By default, and with 0, the
             *     request is refused immediately.
             */
            WaitForPlace?: number | null;
            /**
             * @description The size of the browser's first page, in all kinds of browsers. By default, it depends on the deployment. A size or scale that an
             *     argument contradicts is a `BadRequest`.
             */
            Screen?: components["schemas"]["Screen"] | null;
            /**
             * @description The language of the browser: what sites see in `Accept-Language`, `navigator.language` and the formats of `Intl`. It is a BCP 47
             *     language tag, such as `de-DE`. The default is `en-US`. A language that an argument contradicts is a `BadRequest`.
             */
            Language?: string | null;
            /**
             * @description The time zone of the browser, by its name in the IANA time zone database, such as `Europe/Berlin`. The default is `UTC`. A time
             *     zone that an argument contradicts is a `BadRequest`.
             */
            TimeZone?: string | null;
        };
        /** @description Identifies the request in the server's log. */
        RequestId: string;
        /**
         * @description The address of a browser's DevTools endpoint: `ws://` or `wss://`, the host of the worker that runs the browser,
         *     its path prefix if it has one, then `/devtools/browser/` and an id of at least 128 random bits. The service
         *     chooses the id; it is not the one that the browser gives itself. No two browsers ever have the same id.
         *
         *     The address is created once, when the browser opens, and is listed unchanged, byte for byte, until the browser
         *     closes. It is a secret: anyone who has it can drive the browser.
         */
        BrowserAddress: string;
        /**
         * @description Identifies a browser in the history, in logs and in questions to the operator. It is not a secret: it does not give
         *     access to the browser. No two browsers ever have the same id.
         */
        BrowserId: string;
        /** @description The browser that was opened. */
        OpenResult: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 200;
            address: components["schemas"]["BrowserAddress"];
            id?: components["schemas"]["BrowserId"];
        };
        /**
         * @description Written for people: what was wrong, which value caused it, and what to do. Its wording may change; check `name`
         *     instead.
         */
        ErrorMessage: string;
        /** @description One thing that is wrong with a request. */
        BadRequestProblem: {
            /**
             * @description Where it is wrong: a JSON Pointer (RFC 6901) into the request, in the spelling that the request used. A
             *     missing member is named as if it were there. The empty string means the body as a whole, for example when it
             *     is not JSON. For a header, it is the empty string as well, and `message` names the header.
             */
            path: string;
            /** @description What is wrong there. */
            message: string;
        };
        /** @description The request does not match the contract. */
        BadRequestError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 400;
            /** @constant */
            name: "BadRequest";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
            /** @description Each thing that is wrong, and where. */
            errors: components["schemas"]["BadRequestProblem"][];
        };
        /** @description The browser to act on, by `address` or by `id`. A request with both, or with neither, is a `BadRequest`. */
        BrowserReference: {
            /**
             * @description The browser's address, as Open returned it. The browser is found by the id after `/devtools/browser/`, so
             *     scheme, host, path prefix and query make no difference, and the scheme is optional. For an address that does
             *     not belong to an open browser of the account, for whatever reason, the response is 404 `BrowserNotFound`.
             */
            address?: string;
            /**
             * @description The browser's id, as Open returned it. For one that does not belong to a browser of the account, the response is 404
             *     `BrowserNotFound`.
             */
            id?: string;
        };
        /** @description The browser was closed. */
        CloseResult: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 200;
        };
        /** @description One open browser. */
        Session: {
            /**
             * Format: date-time
             * @description When the browser was opened: RFC 3339 in UTC with milliseconds, such as `2026-03-14T09:26:53.589Z`.
             */
            startedOn: string;
            /** @description The label given when the browser was opened; `null` if there was none. */
            label: string | null;
            address: components["schemas"]["BrowserAddress"];
            /**
             * @description The password for full control of the browser's remote desktop, the same one that StartRemoteDesktop returned
             *     as `password`; `null` while the desktop is stopped.
             */
            vncpass: string | null;
            id?: components["schemas"]["BrowserId"];
            /** @description Which kind of browser it is, as in SupportedBrowser. Later versions may add values. */
            browser?: number;
            /** @description Whether it runs without a graphical interface. */
            headless?: boolean;
            /** @description Its tags, in the order in which they were given. */
            tags?: string[];
            /**
             * Format: double
             * @description How many seconds it stays open while no client is connected; `null` if that is not limited. 0 and values above the
             *     maximum lifetime of the account's plan are listed as that maximum.
             */
            keepOpen?: number | null;
            /**
             * Format: date-time
             * @description When it closes if nothing happens before, as `startedOn`: at the end of its inactivity period or of its lifetime, whichever comes
             *     first. `null` if neither is limited, or if a client is connected and the lifetime is not limited.
             */
            closesOn?: string | null;
            /** @description How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old. */
            clients?: number;
            /** @description Whether its remote desktop is started. */
            desktop?: boolean;
        };
        /** @description The account's open browsers. This response has no `status`. */
        SessionList: {
            /** @description One element for each open browser, ordered by `startedOn`. */
            sessions: components["schemas"]["Session"][];
        };
        /** @description A browser, open or ended. What does not exist any more when a browser has ended is `null` or 0. */
        BrowserRecord: {
            id: components["schemas"]["BrowserId"];
            /** @description `open` or `closed`. Later versions may add values. */
            state: string;
            /**
             * Format: date-time
             * @description When the browser was opened: RFC 3339 in UTC with milliseconds, such as `2026-03-14T09:26:53.589Z`.
             */
            startedOn: string;
            /**
             * Format: date-time
             * @description When it ended, as `startedOn`; `null` while it is open.
             */
            endedOn: string | null;
            /**
             * @description Why it ended; `null` while it is open. The values are those of the close reasons: `requested`, `exited`, `inactive`,
             *     `lifetime`, `shutdown`, `disabled`, `crashed`, `hung` and `memory`. It is `lost` if the server was killed while the browser was
             *     open. Later versions may add values.
             */
            reason: string | null;
            /** @description The units that it has consumed so far. */
            units: number;
            /**
             * Format: int64
             * @description The bytes that it has sent to the network so far; `null` if they were not counted.
             */
            bytesSent: number | null;
            /**
             * Format: int64
             * @description The bytes that it has received from the network so far; `null` if they were not counted.
             */
            bytesReceived: number | null;
            /** @description Its address while it is open; `null` afterwards. */
            address: components["schemas"]["BrowserAddress"] | null;
            /** @description The password for full control of its remote desktop; `null` while the desktop is stopped. */
            vncpass: string | null;
            /** @description Its label; `null` if it has none. */
            label: string | null;
            /** @description Its tags, in the order in which they were given. */
            tags: string[];
            /** @description Which kind of browser it is, as in SupportedBrowser. Later versions may add values. */
            browser: number;
            /** @description Whether it runs without a graphical interface. */
            headless: boolean;
            /**
             * Format: double
             * @description How many seconds it stays open while no client is connected; `null` if that is not limited. 0 and values above the
             *     maximum lifetime of the account's plan are listed as that maximum.
             */
            keepOpen: number | null;
            /**
             * Format: date-time
             * @description When it closes if nothing happens before, as `startedOn`; `null` if that is not known, or if it has ended.
             */
            closesOn: string | null;
            /** @description How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old. 0 if the browser has ended. */
            clients: number;
            /** @description Whether its remote desktop is started. */
            desktop: boolean;
        };
        /** @description Which browsers to list. Every member may be omitted or `null`, which means the same. */
        HistoryRequest: {
            /**
             * Format: date-time
             * @description Only browsers that were open at this moment or later: a date and time by RFC 3339. Other text is a `BadRequest`.
             */
            since?: string | null;
            /**
             * Format: date-time
             * @description Only browsers that were opened before this moment, as `since`.
             */
            until?: string | null;
            /** @description Only browsers with this label. */
            label?: string | null;
            /** @description Only browsers that have this tag. */
            tag?: string | null;
            /** @description How many browsers to list at most, from 1 to 100. By default, it is 100. */
            limit?: number | null;
            /**
             * @description `next` of the response that this one continues. The other members must be the same as in that request, except `limit`, which may
             *     differ. With others, the response is a `BadRequest`, or lists only browsers that match the members of this request. A text that
             *     is not such a cursor is a `BadRequest`.
             */
            cursor?: string | null;
        };
        /** @description A part of the account's browsers. This response has no `status`. */
        BrowserHistory: {
            /**
             * @description First those that were open when the first part was requested, the last opened first; then those that had ended, the last ended
             *     first.
             */
            browsers: components["schemas"]["BrowserRecord"][];
            /** @description The `cursor` of the next part; `null` if this is the last one. */
            next: string | null;
            /**
             * Format: date-time
             * @description The deployment deletes browsers that ended before this moment; `null` if it keeps all of them.
             */
            keptSince: string | null;
        };
        /** @description The browser to wait for, by `address` or by `id`, and how long. A request with both, or with neither, is a `BadRequest`. */
        WaitRequest: {
            /** @description The browser's address, as in BrowserReference. */
            address?: string;
            /** @description The browser's id, as in BrowserReference. */
            id?: string;
            /**
             * Format: double
             * @description How many seconds to wait at most, from 0 to 50. `null` counts as omitted, and then it is 25.
             */
            seconds?: number | null;
        };
        /** @description How the browser is when the wait ends. */
        WaitResult: {
            /** @description `closed` if it has ended, or `open` if the time has passed. Later versions may add values. */
            state: string;
            /** @description Why it ended, as in BrowserRecord; `null` while it is open. */
            reason: string | null;
        };
        /**
         * @description The browser to change, by `address` or by `id`, and its new values. A request with both or with neither, and one without a new
         *     value, is a `BadRequest`. A value that is omitted or `null` stays as it is. Each value has a second, PascalCase spelling, named by
         *     `x-alias`.
         */
        UpdateRequest: {
            /** @description The browser's address, as in BrowserReference. */
            address?: string;
            /** @description The browser's id, as in BrowserReference. */
            id?: string;
            /**
             * Format: double
             * @description The inactivity period in seconds, as the option `KeepOpen` of Open. A running period gets the new length.
             */
            keepOpen?: number | null;
            /**
             * Format: double
             * @description The lifetime in seconds, counted from the opening, as the option `Lifetime` of Open. A browser that is older is closed.
             */
            lifetime?: number | null;
            /** @description The label, as the option `Label` of Open. */
            label?: string | null;
            /** @description All tags, as the option `Tags` of Open. They replace the former ones. */
            tags?: string[] | null;
        };
        /** @description Which of the account's browsers to close: exactly one of the members. Any other request is a `BadRequest`. */
        CloseAllRequest: {
            /** @description Those with this label. */
            label?: string | null;
            /** @description Those that have this tag. */
            tag?: string | null;
            /** @description `true` closes all of them. `false` is a `BadRequest`. */
            all?: boolean | null;
        };
        /** @description What was closed. */
        CloseAllResult: {
            /** @description How many browsers were closed. */
            closed: number;
        };
        /** @description A picture of what a browser shows. */
        Screenshot: {
            /** @description The picture's media type, `image/png` or `image/jpeg`. Later versions may add values. */
            type: string;
            /**
             * Format: byte
             * @description The picture, encoded in Base64.
             */
            image: string;
        };
        /** @description The remote desktop, and the ways to connect to it. */
        StartRemoteDesktopResult: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 200;
            /**
             * @description Password for full control: screen, mouse and keyboard. It has exactly 8 characters, because VNC
             *     authentication ignores any further ones.
             */
            password: string;
            /** @description View-only password, also exactly 8 characters. The server enforces it. */
            viewPassword: string;
            /**
             * @description A web page that shows the desktop. It needs no token, and opening it is enough: the password is in the
             *     fragment, the part after `#`, which web browsers do not send to the server.
             *
             *     If you replace the fragment with `#view=` and the `viewPassword`, you get a view-only link: the page says
             *     so, and hides its controls for mouse and keyboard. The `viewPassword` after a bare `#` gives the same
             *     access, but the page does not say so.
             */
            url: string;
            /**
             * @description A WebSocket address for VNC viewers. It speaks RFB in binary frames and asks for one of the passwords by VNC
             *     authentication. It refuses any other password, and every password once the desktop has stopped.
             */
            rfbUrl: string;
        };
        /** @description The remote desktop is stopped. */
        StopRemoteDesktopResult: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 200;
        };
        /** @description The account that the token belongs to, its plan, and what it has used. */
        AccountInfo: {
            /** @description The name of its plan; `null` if it has no active subscription. */
            plan: string | null;
            /** @description How many browsers may be open in parallel; `null` if only the machine's capacity limits that, or without a subscription. */
            parallel: number | null;
            /** @description How many browsers count towards that limit now, including those that are being opened. */
            open: number;
            /** @description The month (UTC) that the units belong to, such as `2026-03`. */
            period: string;
            /** @description The units consumed in this month. */
            unitsUsed: number;
            /** @description The units of the plan that are left in this month; `null` if the plan does not limit them, or without a subscription. */
            unitsLeft: number | null;
            /** @description Whether browsers may be opened when no units are left. */
            additionalUnits: boolean;
            /**
             * Format: double
             * @description The maximum lifetime of a browser in seconds; `null` if the plan does not limit it, or without a subscription.
             */
            maxLifetime: number | null;
        };
        /** @description A document, and what to do with it. */
        QueryRequest: {
            /**
             * @description The HTML document. It may be a fragment, but must not be empty. Its size is limited by that of the whole
             *     body, 4 MiB.
             */
            html: string;
            /** @description The instruction, in plain words. It must not be empty. */
            prompt: string;
            /**
             * @description The form of the result. If it is omitted or `null`, the result is plain text.
             *
             *     - `text`: plain text.
             *     - `json`: JSON of any shape that suits the prompt.
             *     - a JSON Schema, written as JSON text, for example `{"type":"number"}`: JSON that matches it. The schema's
             *       root may be of any type, so an answer can be a bare number or string. It is read as JSON Schema 2020-12,
             *       unless its `$schema` names 2019-09 or draft-07. All its references must point to locations within the
             *       schema.
             *
             *     Any other string is a `BadRequest`, and so is a schema that is not valid, is longer than 65,536 characters,
             *     is nested more than 64 levels deep, or takes too long to check an answer against.
             */
            responseFormat?: string | null;
        };
        /** @description What the language model made of the document. */
        QueryResult: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 200;
            /**
             * @description The provider's own text, for every format. If the provider can only answer with objects, the service asks
             *     for one and returns the text inside it.
             */
            response: string;
            /**
             * @description The result as JSON, for the response formats `json` and JSON Schema; in the latter case it has been checked
             *     against the schema. It is missing for `text`.
             */
            value?: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
