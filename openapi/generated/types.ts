// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.

export interface paths {
    "/api/v1/Browser/Open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a browser
         * @description Opens a browser and returns the address to connect to. All options are optional. Without any, you get Chromium
         *     with a graphical interface and stealth mode. It closes after 30 seconds of inactivity.
         *
         *     The call returns once the browser is ready for its first DevTools command. If you disconnect before that, the
         *     browser is not opened, and nothing is charged.
         *
         *     To be able to repeat the request when its response is lost, send an `Idempotency-Key`. All requests of the account with the same
         *     key and the same options then open one browser and get the same response. Options are the same if their values are: spelling and
         *     order do not matter, and an omitted option has its default. While the first one is in progress, the others wait for it.
         *     If you disconnect, it goes on for 30 seconds: if you have not repeated the request or connected to the browser by then, it is undone,
         *     and nothing is charged. The key refers to the browser until 24 hours after its end. If the request is refused or undone, the key is
         *     free again. A repetition needs neither a subscription nor units.
         *
         *     The body is an object. It may be `{}`, and it may be missing altogether, with or without a `Content-Type`. An
         *     option that is `null` counts as omitted, and unknown members are ignored.
         *
         *     Opening needs an active subscription (otherwise 402 `NoSubscription`), remaining units (403 `NoUnits`) and fewer
         *     open browsers than the parallel limit (404 `BrowserLimit`). If the account has reached its own limit, the
         *     response is always 404, even if that limit equals the machine's capacity; 503 `BrowserUnavailable` means that
         *     the machine cannot open the browser, for example because it is full or does not have the requested kind.
         *
         *     With `WaitForPlace`, a request that would be refused because of the parallel limit, or because the machine is full, waits until the
         *     browser can be opened. If that takes too long, the response is the same 404 or 503. Up to 100 requests of an account can wait for its
         *     limit at the same time; others are refused immediately. All other refusals are immediate, too. While a request waits for the limit,
         *     no list shows it, and it does not count towards the limit. A request whose client disconnects stops waiting: immediately, or after
         *     30 seconds if it has an `Idempotency-Key` and is not repeated by then.
         */
        post: operations["openBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/Close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a browser
         * @description Closes a browser, without any automation library. Its DevTools clients and desktop viewers are disconnected, its
         *     remote desktop stops, and everything it kept (pages, cookies, downloads) is deleted. Once the call has returned,
         *     the browser no longer appears in the list, and its place within the parallel limit is free. No other browser is
         *     touched.
         *
         *     Closing the same address again returns 404 `BrowserNotFound`. If several Close requests for a browser arrive at
         *     the same time, at least one of them returns 200.
         */
        post: operations["closeBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/Get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open browsers
         * @description Lists the browsers of this account that are open now, oldest first. A browser appears as soon as its Open
         *     request has been answered and disappears when it closes, for whatever reason. Browsers of other accounts are
         *     never shown.
         *
         *     The request has no parameters, and needs no body.
         */
        get: operations["getBrowsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/Info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a browser
         * @description Shows one browser of this account, open or ended: its state, why it ended, what it has consumed, and its options. The
         *     deployment keeps the records of ended browsers for a time that it chooses; afterwards, the response is 404
         *     `BrowserNotFound`, as for a browser that never existed.
         */
        post: operations["getBrowserInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/History": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List open and ended browsers
         * @description Lists the browsers of this account, open and ended, in parts of up to 100. The request may select those of a time, with a label, or
         *     with a tag. To get the next part, repeat the request with `next` as its `cursor`. All parts together list each browser once: the
         *     ones that existed when the first part was requested.
         *
         *     The deployment keeps the records of ended browsers for a time that it chooses; `keptSince` says since when.
         */
        post: operations["getBrowserHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/Wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait until a browser ends
         * @description Waits until a browser ends, for whatever reason, and responds at that moment; or after `seconds`, if it is still open. For a
         *     browser that has ended, the response comes at once. Waiting does not count as activity, so it does not keep the browser open.
         *
         *     To wait longer, call it again. Up to 100 requests can wait for a browser at the same time; others are refused with 503
         *     `BrowserUnavailable`.
         */
        post: operations["waitForBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/Update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change an open browser
         * @description Changes the inactivity period, the lifetime, the label or the tags of an open browser. The values are absolute, so repeating the
         *     call is safe. They follow the rules of the options of Open: the plan's maximum lifetime stays a limit. If the browser's time is
         *     already up by the new values, it is closed, and the response shows it as `closed`, with the reason.
         */
        post: operations["updateBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/CloseAll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close several browsers
         * @description Closes the browsers of this account that are open and that have a label or a tag, or all of them, as Close does for one. Browsers
         *     that are being opened meanwhile may stay open. It is not an error if there are none.
         */
        post: operations["closeAllBrowsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/Screenshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a screenshot
         * @description Takes a picture of what an open browser shows now: the whole screen of a browser with a graphical interface, and the visible part of
         *     the front page of a headless one. The picture has the full size, in device pixels. The browser's pages and clients do not notice it,
         *     and it does not count as activity.
         */
        post: operations["takeScreenshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/ScreenshotImage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Take a screenshot as a file
         * @description Takes the same picture as Screenshot, and responds with the image file itself. A deployment should offer this operation, and
         *     it should refuse a request for the reasons for which Screenshot refuses one.
         */
        get: operations["takeScreenshotImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/StartRemoteDesktop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a browser's remote desktop
         * @description Starts a remote desktop on a browser and returns two URLs for it: `url`, a web page that shows the desktop, and
         *     `rfbUrl`, a WebSocket for VNC viewers. There is one password for full control and one for watching only. Both
         *     change each time the desktop starts, and no two desktops share one.
         *
         *     Starting a desktop that is already started changes nothing and returns the same passwords, so repeating the call
         *     is safe. Concurrent StartRemoteDesktop requests also return the same passwords.
         *
         *     Only a browser with a graphical interface has a screen to show. For one that was opened headless, which includes
         *     every ChromeHeadlessShell, the response is 409 `DesktopUnavailable`. While a viewer is connected, the browser
         *     does not count as inactive. A desktop stops when its browser closes, and its viewers are disconnected.
         */
        post: operations["startRemoteDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Browser/StopRemoteDesktop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a browser's remote desktop
         * @description Stops the remote desktop of a browser. Its viewers are disconnected and both passwords stop working; the browser
         *     itself stays open, and its inactivity period begins if no DevTools client is connected.
         *
         *     Stopping a desktop that is not started changes nothing and returns 200. A headless browser has no desktop, so
         *     for it the response is 200 as well.
         */
        post: operations["stopRemoteDesktop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/Account/Get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the account
         * @description Shows the plan of the account that the token belongs to, its limits, and what it has used in this month.
         *
         *     The request has no parameters, and needs no body.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ai/Query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a language model about an HTML document
         * @description Sends an HTML document and an instruction to a language-model provider and returns what it made of them: a
         *     summary, a translation, the price on a product page. With `responseFormat` you choose between plain text, any
         *     JSON, and JSON of a shape that you define.
         *
         *     Like all operations, this one needs the account's token, but neither a subscription nor units. Each deployment
         *     has its own credential for the provider. It never appears in a request, in a response or in a log.
         *
         *     The model reads what the document shows: scripts, styles, comments and hidden parts are removed, and a document
         *     that is longer than the deployment allows is cut at its end. The service tells the model to treat the document
         *     as data, and only `prompt` as an instruction.
         *
         *     If the result is not what `responseFormat` asks for, the service asks the model to repair it once; if it is
         *     still wrong, the response is 502 `ProviderError`.
         */
        post: operations["queryAi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
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
            id: components["schemas"]["BrowserId"];
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
        /** @description The token is missing or incorrect. */
        AuthorizationError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 401;
            /** @constant */
            name: "AuthorizationError";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The account has no active subscription. */
        NoSubscriptionError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 402;
            /** @constant */
            name: "NoSubscription";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description All units of this month have been consumed. */
        NoUnitsError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 403;
            /** @constant */
            name: "NoUnits";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The subscription does not allow more browsers in parallel. */
        BrowserLimitError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 404;
            /** @constant */
            name: "BrowserLimit";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The first request with the `Idempotency-Key` is still in progress. */
        IdempotencyKeyInUseError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 409;
            /** @constant */
            name: "IdempotencyKeyInUse";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The body is larger than the operation accepts. */
        PayloadTooLargeError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 413;
            /** @constant */
            name: "PayloadTooLarge";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The body is declared as something other than JSON. */
        UnsupportedMediaTypeError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 415;
            /** @constant */
            name: "UnsupportedMediaType";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The `Idempotency-Key` belongs to a request with other options. */
        IdempotencyKeyReusedError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 422;
            /** @constant */
            name: "IdempotencyKeyReused";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description Requests arrive faster than the operator allows. */
        TooManyRequestsError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 429;
            /** @constant */
            name: "TooManyRequests";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description Something unexpected went wrong. The HTTP status is 500, while `status` is 0. */
        UnknownError: {
            /**
             * @description Always 0, although the HTTP status is 500.
             * @constant
             */
            status: 0;
            /** @constant */
            name: "Unknown";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description This deployment cannot open such a browser, or cannot open it now. */
        BrowserUnavailableError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 503;
            /** @constant */
            name: "BrowserUnavailable";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
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
        /** @description No open browser of this account has that address. */
        BrowserNotFoundError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 404;
            /** @constant */
            name: "BrowserNotFound";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
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
            id: components["schemas"]["BrowserId"];
            /** @description Which kind of browser it is, as in SupportedBrowser. Later versions may add values. */
            browser: number;
            /** @description Whether it runs without a graphical interface. */
            headless: boolean;
            /** @description Its tags, in the order in which they were given. */
            tags: string[];
            /**
             * Format: double
             * @description How many seconds it stays open while no client is connected; `null` if that is not limited. 0 and values above the
             *     maximum lifetime of the account's plan are listed as that maximum.
             */
            keepOpen: number | null;
            /**
             * Format: date-time
             * @description When it closes if nothing happens before, as `startedOn`: at the end of its inactivity period or of its lifetime, whichever comes
             *     first. `null` if neither is limited, or if a client is connected and the lifetime is not limited.
             */
            closesOn: string | null;
            /** @description How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old. */
            clients: number;
            /** @description Whether its remote desktop is started. */
            desktop: boolean;
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
        /** @description The browser has no screen that a remote desktop could show. */
        DesktopUnavailableError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 409;
            /** @constant */
            name: "DesktopUnavailable";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
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
        /** @description The language model declined to answer. */
        ResponseRefusedError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 422;
            /** @constant */
            name: "ResponseRefused";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The language-model provider failed, or its result stayed invalid. */
        ProviderError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 502;
            /** @constant */
            name: "ProviderError";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The language-model provider cannot be used at the moment. */
        ProviderUnavailableError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 503;
            /** @constant */
            name: "ProviderUnavailable";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description There is nothing at this path. No operation lists this response, because the request did not reach one. */
        NotFoundError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 404;
            /** @constant */
            name: "NotFound";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description The path exists, but does not support this method. No operation lists this response, because the request did not reach one. */
        MethodNotAllowedError: {
            /**
             * @description Same as the HTTP status.
             * @constant
             */
            status: 405;
            /** @constant */
            name: "MethodNotAllowed";
            message: components["schemas"]["ErrorMessage"];
            requestId: components["schemas"]["RequestId"];
        };
    };
    responses: {
        /** @description The token is missing or incorrect. */
        AuthorizationError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthorizationError"];
            };
        };
        /** @description The body is larger than this operation accepts. The limit is in `x-max-body-bytes`. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /**
         * @description The request declares its body as something other than JSON, which is `application/json` or a type that ends in
         *     `+json`. A body without any `Content-Type` is read as JSON. Without a body, the `Content-Type` does not matter.
         */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /**
         * @description Requests from this account arrive faster than the operator allows. Each deployment sets its own limit; accounts
         *     on the `self-hosted` plan have no limit.
         */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyRequestsError"];
            };
        };
        /**
         * @description Something unexpected went wrong in the server. Its log has the details under the request id. The body's `status`
         *     is 0, which distinguishes this error from expected ones.
         */
        Unknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnknownError"];
            };
        };
        /** @description The request does not name a browser. `errors` lists each problem. */
        BadBrowserReference: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestError"];
            };
        };
        /**
         * @description No open browser of this account has that address or id; for Info and Wait, no browser that is still recorded. It may be mistyped,
         *     closed already, or another account's; the response is the same for all three.
         */
        BrowserNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BrowserNotFoundError"];
            };
        };
        /** @description The service cannot answer now, for example because its database does not answer. Nothing was changed. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BrowserUnavailableError"];
            };
        };
        /** @description No picture can be taken now, for example because the browser shows no page, or because too many pictures are being taken. */
        PictureUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-If-Known"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BrowserUnavailableError"];
            };
        };
        /** @description This path does not exist, regardless of the method and the token. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description The path exists, but does not support this method. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MethodNotAllowedError"];
            };
        };
    };
    parameters: never;
    requestBodies: {
        /** @description The browser's address or id; at most 64 KiB. */
        BrowserReference: {
            content: {
                "application/json": components["schemas"]["BrowserReference"];
            };
        };
    };
    headers: {
        /**
         * @description Identifies this request in the server's log; no two requests have the same. An error body repeats it as
         *     `requestId`.
         * @example 01K3ZQ9V7N4T0XW1
         */
        "X-Request-Id": components["schemas"]["RequestId"];
        /**
         * @description How to authenticate, which is always `Bearer`.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before trying again.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description Seconds to wait before trying again. It is missing when waiting does not help, or when the time is not known.
         * @example 5
         */
        "Retry-After-If-Known": number;
        /**
         * @description Always `no-store`, because the body is only for this account.
         * @example no-store
         */
        "Cache-Control": "no-store";
        /**
         * @description The methods that this path supports, separated by commas.
         * @example POST
         */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    openBrowser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text that you choose for this browser, such as a UUID: 1 to 255 visible ASCII characters. Anything else is a `BadRequest`.
                 * @example 3f0c1f4e-7a52-4f0e-9a0b-5c1e2d3f4a5b
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The options; at most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenOptions"];
            };
        };
        responses: {
            /** @description The browser is open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenResult"];
                };
            };
            /** @description The options do not match the contract. `errors` lists each problem. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            /** @description The account has no active subscription. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoSubscriptionError"];
                };
            };
            /**
             * @description All units of this month have been consumed. Turn on additional units in the web settings, or wait for the next
             *     month.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoUnitsError"];
                };
            };
            /**
             * @description The subscription does not allow more browsers in parallel. Close one, or wait until one closes, for example with
             *     `WaitForPlace`.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserLimitError"];
                };
            };
            /** @description The first request with this `Idempotency-Key` has been in progress for more than 30 seconds. Repeat the request later. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyKeyInUseError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description This `Idempotency-Key` belongs to a request with other options. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyKeyReusedError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            /**
             * @description This deployment cannot open the browser, or cannot open it now. With `Retry-After`, a later attempt may
             *     succeed: the machine is full or is already starting as many browsers as it can, the deployment's proxies do
             *     not respond, or the server is restarting. Without it, this deployment does not have the requested kind of
             *     browser, or the browser failed to start; another kind is never opened in its place.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-If-Known"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserUnavailableError"];
                };
            };
        };
    };
    closeBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BrowserReference"];
        responses: {
            /** @description The browser is closed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloseResult"];
                };
            };
            400: components["responses"]["BadBrowserReference"];
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBrowsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open browsers, ordered by `startedOn`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBrowserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BrowserReference"];
        responses: {
            /** @description The browser. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserRecord"];
                };
            };
            400: components["responses"]["BadBrowserReference"];
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBrowserHistory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Which browsers; at most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HistoryRequest"];
            };
        };
        responses: {
            /** @description A part of the browsers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserHistory"];
                };
            };
            /** @description The request does not match the contract. `errors` lists each problem. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    waitForBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The browser, and how long to wait; at most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaitRequest"];
            };
        };
        responses: {
            /** @description The browser has ended, or the time has passed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitResult"];
                };
            };
            /** @description The request does not match the contract. `errors` lists each problem. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The browser, and its new values; at most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRequest"];
            };
        };
        responses: {
            /** @description The browser, with its new values. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserRecord"];
                };
            };
            /** @description The request does not match the contract. `errors` lists each problem. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    closeAllBrowsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Which browsers; at most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloseAllRequest"];
            };
        };
        responses: {
            /** @description They are closed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloseAllResult"];
                };
            };
            /** @description The request does not match the contract. `errors` lists each problem. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeScreenshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BrowserReference"];
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Screenshot"];
                };
            };
            400: components["responses"]["BadBrowserReference"];
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["PictureUnavailable"];
        };
    };
    takeScreenshotImage: {
        parameters: {
            query: {
                /**
                 * @description The browser's id, as Open returned it. An address cannot be used, because URLs end up in logs.
                 * @example br_01kxm2a7c9rt4bn8swzh3df6g1
                 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture, as a PNG or JPEG file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                };
            };
            /** @description The request does not name a browser. `errors` lists each problem. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["PictureUnavailable"];
        };
    };
    startRemoteDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BrowserReference"];
        responses: {
            /** @description The remote desktop is started. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartRemoteDesktopResult"];
                };
            };
            400: components["responses"]["BadBrowserReference"];
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            /** @description The browser is open, but it has no screen that a remote desktop could show, because it was opened headless. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesktopUnavailableError"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    stopRemoteDesktop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BrowserReference"];
        responses: {
            /** @description The remote desktop is stopped. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopRemoteDesktopResult"];
                };
            };
            400: components["responses"]["BadBrowserReference"];
            401: components["responses"]["AuthorizationError"];
            404: components["responses"]["BrowserNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountInfo"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            503: components["responses"]["Unavailable"];
        };
    };
    queryAi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The document and the instruction; at most 4 MiB together. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryRequest"];
            };
        };
        responses: {
            /** @description The provider's result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                };
            };
            /** @description The request does not match the contract. `errors` lists each problem. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"];
                };
            };
            401: components["responses"]["AuthorizationError"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The language model declined to answer this prompt about this document. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseRefusedError"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Unknown"];
            /**
             * @description The provider failed: it returned an error, its response was incomplete, or the result was still invalid
             *     after one repair.
             */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderError"];
                };
            };
            /**
             * @description The provider cannot be used at the moment. Its key is missing or was refused; it is overloaded, limits the
             *     service's rate, or did not respond in time; or the service is already working on as many queries as it can.
             *     `Retry-After` is present when the time to wait is known.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After-If-Known"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderUnavailableError"];
                };
            };
        };
    };
}
