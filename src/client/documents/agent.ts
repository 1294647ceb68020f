export interface paths {
    "/agent-gateway/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get an API key; no account and no credentials are needed */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The credits that are left */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify one address */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Batches of the account, newest first */
        get: operations["listBatches"];
        put?: never;
        /** Verify many addresses */
        post: operations["submitBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/batch/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a batch is */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        /** Cancel a batch that runs, or delete a held or finished one with its addresses */
        delete: operations["removeBatch"];
        options?: never;
        head?: never;
        /** Choose how long a batch is kept */
        patch: operations["keepBatch"];
        trace?: never;
    };
    "/api/v1/verify/batch/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reserve the credits of a held batch and begin it */
        post: operations["startBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/batch/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The results of a finished batch, in the order of submission */
        get: operations["getBatchResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/batch/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a batch by server-sent events */
        get: operations["followBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/batch/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rows of a finished batch by reason, domain and mail operator */
        get: operations["getBatchSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What verifying addresses would cost; nothing is verified */
        post: operations["estimate"];
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
        AgentBatchRequest: {
            /** @description Malformed addresses are answered with `invalid`; repeated ones are charged once. */
            emails: string[];
            name?: string | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
            /** @description The account's own verdicts of the addresses, at most so many days old, are given again for nothing. Default: 0. */
            reuse_days?: number | null;
            /** @description So long after an answer that time may change it is tried again; 0: never. */
            retry_window_seconds?: number | null;
            /** @description How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows. */
            retention_days?: number | null;
        };
        AgentPendingRow: {
            /** @description The address checked. */
            email: string;
            /** @enum {string|null} */
            result: null;
            /**
             * @description It waits for its answer, and the batch still runs.
             * @enum {boolean}
             */
            pending: true;
        };
        AgentResultsData: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            total_emails: number;
            /** @description Whether the batch has ended and no row will change; only with `partial=true`. */
            complete?: boolean;
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
            /** @description In the order of submission. */
            results: (components["schemas"]["VerificationData"] | components["schemas"]["AgentPendingRow"])[];
        };
        BatchDeletedReply: {
            /** Format: int64 */
            id: number;
            /** @enum {boolean} */
            deleted: true;
        };
        BatchPageReply: {
            batches: components["schemas"]["BatchReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        BatchReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            name: string | null;
            /**
             * Format: int64
             * @description The list that it verifies again; null for others.
             */
            list_id: number | null;
            total_emails: number;
            /** @description Without repeated addresses: what is verified and charged. */
            unique_emails: number;
            /** @description Rows that are answered; repeated addresses as often as they were sent. */
            processed: number;
            progress: number;
            counts: components["schemas"]["VerdictCounts"];
            /** @description Of a held batch, by the balance of now; null for others. */
            quote: components["schemas"]["QuoteReply"] | null;
            /** @description Answers that time may change and that are tried again; null when nothing waits. */
            waiting: components["schemas"]["WaitingReply"] | null;
            credits_reserved: number;
            credits_charged: number;
            /** @description Addresses that are given a verdict again for nothing (`reuse_days`). */
            reused: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description From the pace so far; null before the first answer.
             */
            estimated_completion_at: string | null;
            /**
             * Format: date-time
             * @description When it is deleted with every address; null while it runs.
             */
            expires_at: string | null;
            /** @description How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows. */
            retention_days: number;
        };
        BatchSummaryReply: {
            /** Format: int64 */
            id: number;
            /** @description Rows that are answered. */
            processed: number;
            /** @description Every reason that a row has, the most frequent first. */
            reasons: components["schemas"]["ReasonCountReply"][];
            /** @description Those with the most rows first. Rows without an address have none. */
            domains: components["schemas"]["DomainCountReply"][];
            /** @description How many different domains the rows have. */
            domains_total: number;
            /** @description Those with the most rows first. */
            providers: components["schemas"]["ProviderCountReply"][];
        };
        BatchTakenData: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            total_emails: number;
            /** @description Of a held batch. */
            quote?: components["schemas"]["QuoteReply"];
        };
        DailyCreditsBody: {
            /** @example 25 */
            daily_free_credits: number;
            /** @description What was charged today; what is `reserved` is not in it. */
            used_today: number;
            /** @description Held for work that still runs; neither used nor in `remaining`. */
            reserved: number;
            /** @description What may be spent now, free or paid. */
            remaining: number;
            /** @description Of a claimed agent: what of `remaining` the account pays that has claimed it. */
            paid_remaining?: number;
            /**
             * Format: date-time
             * @description The next 00:00 UTC.
             */
            resets_at: string;
            /** @description Whether all agents together have left some of the day's capacity. */
            shared_capacity_available: boolean;
        };
        DomainCountReply: {
            /** @example example.com */
            domain: string;
            /** @description Repeated addresses as often as they were sent. */
            rows: number;
            counts: components["schemas"]["VerdictCounts"];
        };
        EndpointReply: {
            /** @example POST */
            method: string;
            /**
             * Format: uri-template
             * @example https://mailsonde.example/api/v1/verify/batch/{id}
             */
            url: string;
            /** @description A body that it takes, as an example. */
            body?: {
                [key: string]: unknown;
            };
        };
        Error400: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "malformed_json" | "malformed_header";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error401: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "key_missing" | "key_malformed" | "key_unknown" | "key_expired" | "key_revoked";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error402: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "credits_insufficient" | "ceiling_reached" | "key_ceiling_reached";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
            /** @description 402: the credits that the request costs at most. */
            required?: number;
            /** @description 402: the credits that are left. */
            remaining?: number;
            /**
             * @description `key_ceiling_reached`: the one that is reached, of several the one that lasts the longest.
             * @example credits_per_day
             */
            ceiling?: string;
            /** @description `key_ceiling_reached`: what the ceiling allows. */
            credits?: number;
            /** @description `key_ceiling_reached`: what is used of it. */
            used?: number;
            /**
             * Format: date-time
             * @description 402 of agents and of ceilings: when credits start again; null: never.
             */
            resets_at?: string | null;
            /**
             * Format: uri
             * @description 402 of agents: where a person reads how to let them go on.
             */
            claim_url?: string;
        };
        Error403: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "full_account_required" | "permission_missing" | "address_not_allowed" | "ceiling_not_allowed" | "key_lasts_longer" | "account_suspended";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
            /**
             * @description `permission_missing`: the one that the key lacks.
             * @example results
             */
            permission?: string;
        };
        Error404: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "batch_not_found";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error408: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "request_timeout";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error409: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "batch_not_finished" | "idempotency_in_progress" | "idempotency_reply_lost" | "too_many_endpoints" | "batch_not_held" | "too_many_held";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error413: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "body_too_large";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error415: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "unsupported_media_type";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error422: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "invalid_input" | "too_many_emails" | "idempotency_key_reused";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
            /** @description 422: what is wrong, at most 100 of them. */
            fields?: components["schemas"]["FieldErrorBody"][];
            /** @description `too_many_emails`: how many one batch may hold. */
            limit?: number;
        };
        Error429: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "rate_limited" | "request_in_flight" | "too_many_streams" | "daily_capacity_exhausted" | "registration_limited";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error500: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "internal_error";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        Error503: {
            /** @enum {boolean} */
            success: false;
            /** @description A sentence for people; it may change. */
            error: string;
            /**
             * @description Stable: decide by it.
             * @enum {string}
             */
            code: "unavailable";
            /** @description Also the header `X-Request-Id`. */
            request_id: string;
        };
        EstimateReply: {
            addresses: number;
            /** @description Without repeated ones, which cost nothing. */
            unique_addresses: number;
            /** @description Distinct addresses that will be `invalid_syntax`; they cost nothing, except for agents. Null for a count. */
            malformed: number | null;
            credits_per_address: number;
            /** @description At most: see `unknown_is_charged`. */
            credits_required: number;
            /** @description Whether a verdict `unknown` costs a credit too. */
            unknown_is_charged: boolean;
            /** @description Batches that it takes with this key. */
            batches: number;
            /** @description What may be spent now. */
            credits_remaining: number;
            /** @description Whether `credits_remaining` covers it. */
            sufficient: boolean;
        };
        EstimateRequest: {
            /** @description The addresses themselves, so that repeated ones are counted once. Nothing is verified or kept. */
            emails?: string[] | null;
            /** @description How many addresses; without effect beside `emails`. */
            count?: number | null;
        };
        FieldErrorBody: {
            /** @example emails[3] */
            field: string;
            error: string;
        };
        KeepBatchRequest: {
            /** @description How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows. */
            retention_days: number;
        };
        ProviderCountReply: {
            /** @description Null: of no mail operator that has a name here. */
            provider: string | null;
            /** @description Repeated addresses as often as they were sent. */
            rows: number;
            counts: components["schemas"]["VerdictCounts"];
        };
        QuotaReply: {
            /** @example 25 */
            daily_free_credits: number;
            rate: components["schemas"]["RequestRateReply"];
            /** @example 1 */
            concurrent_requests: number;
            /**
             * @description Addresses in one batch at most.
             * @example 25
             */
            batch_size: number;
            /** @example 30 */
            key_life_days: number;
        };
        QuoteReply: {
            rows: number;
            /** @description Without repeated addresses: what is verified and charged. */
            unique_emails: number;
            /** @description Rows that repeat an address. */
            duplicates: number;
            /** @description Distinct addresses that will be `invalid_syntax`; they cost nothing, except for agents. */
            malformed: number;
            /** @description Distinct addresses that are answered without new work, for nothing. */
            reusable: number;
            /** @description The most that it costs: `start` reserves it. */
            max_credits: number;
            /** @description What would be left now; below 0 when the credits do not suffice. */
            balance_after: number;
        };
        ReasonCountReply: {
            /** @example mailbox_full */
            reason: string;
            /** @enum {string} */
            verdict: "valid" | "invalid" | "risky" | "unknown";
            /** @description Repeated addresses as often as they were sent. */
            rows: number;
        };
        RegistrationReply: {
            /** @description Shown here and never again. */
            api_key: string;
            /** Format: date-time */
            expires_at: string;
            /** @example 25 */
            daily_free_credits: number;
            /**
             * Format: uri
             * @description Where a person reads how to take the key under their account.
             */
            claim_url: string;
            /** @description For that person alone, for 30 days. Shown here and never again. */
            claim_token: string;
            endpoints: {
                [key: string]: components["schemas"]["EndpointReply"];
            };
            quota: components["schemas"]["QuotaReply"];
        };
        RegistrationRequest: {
            /** @description The agent's name. */
            name?: string | null;
            /** @description What the agent verifies addresses for. */
            purpose?: string | null;
            /** @description An email address or a URL of the operator. */
            contact?: string | null;
        };
        RequestRateReply: {
            /** @example 10 */
            requests: number;
            /**
             * @description At most that many in any window of this length.
             * @example 60
             */
            window_seconds: number;
        };
        StartBatchRequest: {
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
        };
        VerdictCounts: {
            valid: number;
            invalid: number;
            risky: number;
            unknown: number;
        };
        VerificationData: {
            /** @description The address checked. */
            email: string;
            /** @enum {string} */
            result: "valid" | "invalid" | "risky" | "unknown";
            /** @enum {string|null} */
            reason: "invalid_syntax" | "domain_not_found" | "no_mail_server" | "null_mx" | "unroutable_mail_server" | "mailbox_not_found" | "mailbox_disabled" | "domain_not_served" | "spam_trap" | "disposable" | "catch_all" | "mailbox_full" | "mailbox_restricted" | "role_account" | "ip_blocked" | "sender_rejected" | "policy_rejected" | "rate_limited" | "enumeration_suspected" | "greylisted" | "temporary_failure" | "smtp_timeout" | "smtp_unreachable" | "port25_blocked" | "smtp_protocol_error" | "smtputf8_unsupported" | "dns_error" | "provider_hides_mailboxes" | "ambiguous_refusal" | "mailbox_exists" | null;
            /** @description How safe it is to send. */
            score: number;
            disposable: boolean;
            role: boolean;
            free: boolean;
            /** @description The domain takes mail for any local part. */
            accept_all: boolean;
            /** @description A suggested correction; it never changes the verdict. */
            did_you_mean: string | null;
        };
        VerifyRequest: {
            /** @description A malformed address is answered with `invalid`. */
            email: string;
            /** @description Milliseconds; when they run out the verdict is `unknown` with the reason so far. Default: 15000. */
            timeout_ms?: number | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
            /** @description The account's own verdict of the address, at most so many days old, is given again for nothing. Default: 0. */
            reuse_days?: number | null;
        };
        WaitingReply: {
            /** @description Distinct addresses. */
            count: number;
            /**
             * Format: date-time
             * @description When the first of them are tried; past while they are.
             */
            next_try_at: string;
            /**
             * Format: date-time
             * @description Nothing of the batch is put off beyond it.
             */
            until: string;
            /** @description How many have which answer so far. */
            reasons: {
                greylisted?: number;
                rate_limited?: number;
                temporary_failure?: number;
                smtp_timeout?: number;
                dns_error?: number;
                ip_blocked?: number;
                smtp_unreachable?: number;
                enumeration_suspected?: number;
            };
        };
    };
    responses: {
        /** @description - `malformed_json`: The request body is not valid JSON. */
        Error400MalformedJson: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error400"];
            };
        };
        /** @description - `request_timeout`: The request did not arrive in time. */
        Error408RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error408"];
            };
        };
        /** @description - `body_too_large`: The request body is too large. */
        Error413BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error413"];
            };
        };
        /** @description - `unsupported_media_type`: The content type is not supported here: send application/json, or one that the documentation of the route names. */
        Error415UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error415"];
            };
        };
        /** @description - `invalid_input`: The request has invalid input. */
        Error422InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error422"];
            };
        };
        /** @description - `registration_limited`: Too many registrations: the header Retry-After says after how many seconds to try again. */
        Error429RegistrationLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error429"];
            };
        };
        /** @description - `internal_error`: Something went wrong on our side. */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error500"];
            };
        };
        /** @description - `unavailable`: The service cannot answer at the moment. */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error503"];
            };
        };
        /**
         * @description - `key_missing`: An API key is required: send it as "Authorization: Bearer <key>". An agent gets one from POST /agent-gateway/register.
         *     - `key_malformed`: The API key is mistyped: its checksum does not match.
         *     - `key_unknown`: The API key is not known.
         *     - `key_expired`: The API key has expired.
         *     - `key_revoked`: The API key has been revoked.
         */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error401"];
            };
        };
        /**
         * @description - `account_suspended`: The account is suspended.
         *     - `address_not_allowed`: This key does not work from your network.
         *     - `permission_missing`: This key lacks a permission that this needs.
         *     - `full_account_required`: This needs a full account, which the operator of this service gives; agent keys cannot use it.
         */
        Error403FullAccountRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /**
         * @description - `rate_limited`: Too many requests: the header Retry-After says after how many seconds to try again.
         *     - `request_in_flight`: Another request with this key is still running.
         */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error429"];
            };
        };
        /**
         * @description - `malformed_json`: The request body is not valid JSON.
         *     - `malformed_header`: A request header cannot be used as it is.
         */
        Error400MalformedJsonMalformedHeader: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error400"];
            };
        };
        /**
         * @description - `credits_insufficient`: There are not enough credits for this request.
         *     - `ceiling_reached`: The work may cost more than max_credits allows; nothing was done.
         *     - `key_ceiling_reached`: The work may cost more than a ceiling of the key leaves; nothing was done.
         */
        Error402CreditsInsufficientCeilingReachedKeyCeilingReached: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error402"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         */
        Error409IdempotencyInProgressIdempotencyReplyLost: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /**
         * @description - `invalid_input`: The request has invalid input.
         *     - `idempotency_key_reused`: This idempotency key was used with another request body.
         */
        Error422InvalidInputIdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error422"];
            };
        };
        /**
         * @description - `rate_limited`: Too many requests: the header Retry-After says after how many seconds to try again.
         *     - `request_in_flight`: Another request with this key is still running.
         *     - `daily_capacity_exhausted`: Today's shared capacity for agents is used up.
         */
        Error429DailyCapacityExhausted: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error429"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `too_many_endpoints`: The account has as many webhook endpoints as it may have.
         *     - `too_many_held`: The account holds as many batches, or rows in them, as it may.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostTooManyEndpointsTooManyHeld: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /**
         * @description - `invalid_input`: The request has invalid input.
         *     - `idempotency_key_reused`: This idempotency key was used with another request body.
         *     - `too_many_emails`: There are too many emails in one batch.
         */
        Error422InvalidInputIdempotencyKeyReusedTooManyEmails: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error422"];
            };
        };
        /** @description - `batch_not_found`: There is no such batch. */
        Error404BatchNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `account_suspended`: The account is suspended.
         *     - `address_not_allowed`: This key does not work from your network.
         *     - `permission_missing`: This key lacks a permission that this needs.
         *     - `full_account_required`: This needs a full account, which the operator of this service gives; agent keys cannot use it.
         *     - `ceiling_not_allowed`: A key that has ceilings cannot give out one that may spend more than itself, or replace or delete a schedule of such a key.
         *     - `key_lasts_longer`: A key changes, rotates and revokes none that works longer than itself, and replaces or deletes no schedule of such a key.
         */
        Error403FullAccountRequiredCeilingNotAllowedKeyLastsLonger: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /**
         * @description - `ceiling_reached`: The work may cost more than max_credits allows; nothing was done.
         *     - `key_ceiling_reached`: The work may cost more than a ceiling of the key leaves; nothing was done.
         *     - `credits_insufficient`: There are not enough credits for this request.
         */
        Error402CeilingReachedKeyCeilingReachedCreditsInsufficient: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error402"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `batch_not_held`: The batch does not wait to be started.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostBatchNotHeld: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `batch_not_finished`: The batch has not finished yet. */
        Error409BatchNotFinished: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /**
         * @description - `rate_limited`: Too many requests: the header Retry-After says after how many seconds to try again.
         *     - `request_in_flight`: Another request with this key is still running.
         *     - `too_many_streams`: The account follows as many batches at once as it may.
         */
        Error429TooManyStreams: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error429"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of this request: your own `X-Request-Id`, or ours. */
        RequestId: string;
        /** @description Seconds until another try makes sense. */
        RetryAfter: number;
        /** @description RFC 6750. */
        Challenge: string;
        /** @description `"requests";r=9;t=6`: how many requests are left, and the seconds until there is one more. */
        RateLimit: string;
        /** @description `"requests";q=10;w=60, "in-flight";q=1;qu="concurrent-requests"`: the limits of the key. */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Scout"
                 *     }
                 */
                "application/json": components["schemas"]["RegistrationRequest"] | null;
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key": "ms_agent_…",
                     *       "expires_at": "2026-12-21T12:00:00.000Z",
                     *       "daily_free_credits": 25,
                     *       "claim_url": "https://mailsonde.example/claim",
                     *       "claim_token": "ms_claim_…",
                     *       "endpoints": {
                     *         "register": {
                     *           "method": "POST",
                     *           "url": "https://mailsonde.example/agent-gateway/register"
                     *         },
                     *         "verify": {
                     *           "method": "POST",
                     *           "url": "https://mailsonde.example/api/v1/verify",
                     *           "body": {
                     *             "email": "jane@example.com"
                     *           }
                     *         },
                     *         "verify_batch": {
                     *           "method": "POST",
                     *           "url": "https://mailsonde.example/api/v1/verify/batch",
                     *           "body": {
                     *             "emails": [
                     *               "jane@example.com",
                     *               "john@example.com"
                     *             ]
                     *           }
                     *         },
                     *         "batch_status": {
                     *           "method": "GET",
                     *           "url": "https://mailsonde.example/api/v1/verify/batch/{id}"
                     *         },
                     *         "batch_results": {
                     *           "method": "GET",
                     *           "url": "https://mailsonde.example/api/v1/verify/batch/{id}/results"
                     *         },
                     *         "estimate": {
                     *           "method": "POST",
                     *           "url": "https://mailsonde.example/api/v1/estimate",
                     *           "body": {
                     *             "emails": [
                     *               "jane@example.com",
                     *               "john@example.com"
                     *             ]
                     *           }
                     *         },
                     *         "credits": {
                     *           "method": "GET",
                     *           "url": "https://mailsonde.example/api/v1/credits"
                     *         },
                     *         "mcp": {
                     *           "method": "POST",
                     *           "url": "https://mailsonde.example/mcp"
                     *         },
                     *         "mcp_card": {
                     *           "method": "GET",
                     *           "url": "https://mailsonde.example/.well-known/mcp.json"
                     *         },
                     *         "agent_card": {
                     *           "method": "GET",
                     *           "url": "https://mailsonde.example/.well-known/agent.json"
                     *         },
                     *         "openapi": {
                     *           "method": "GET",
                     *           "url": "https://mailsonde.example/agent-gateway/openapi.json"
                     *         },
                     *         "guide": {
                     *           "method": "GET",
                     *           "url": "https://mailsonde.example/llms.txt"
                     *         }
                     *       },
                     *       "quota": {
                     *         "daily_free_credits": 25,
                     *         "rate": {
                     *           "requests": 10,
                     *           "window_seconds": 60
                     *         },
                     *         "concurrent_requests": 1,
                     *         "batch_size": 25,
                     *         "key_life_days": 30
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RegistrationReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429RegistrationLimited"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCredits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "daily_free_credits": 25,
                     *         "used_today": 3,
                     *         "reserved": 0,
                     *         "remaining": 22,
                     *         "resets_at": "2026-11-22T00:00:00.000Z",
                     *         "shared_capacity_available": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DailyCreditsBody"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "jane@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description What to do about the address, in one word: `send`, `send_with_care`, `review`, `retry_later` or `do_not_send`. */
                    "Mailsonde-Action"?: string;
                    /** @description Of an `unknown` that a later try may settle: seconds until then (RFC 9110 section 10.2.3). */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "email": "jane@example.com",
                     *         "result": "valid",
                     *         "reason": "mailbox_exists",
                     *         "score": 98,
                     *         "disposable": false,
                     *         "role": false,
                     *         "free": false,
                     *         "accept_all": false,
                     *         "did_you_mean": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["VerificationData"];
                    };
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402CreditsInsufficientCeilingReachedKeyCeilingReached"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429DailyCapacityExhausted"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "batches": [
                     *           {
                     *             "id": 150323855360001,
                     *             "status": "completed",
                     *             "name": "Guests",
                     *             "list_id": null,
                     *             "total_emails": 2,
                     *             "unique_emails": 2,
                     *             "processed": 2,
                     *             "progress": 1,
                     *             "counts": {
                     *               "valid": 1,
                     *               "invalid": 1,
                     *               "risky": 0,
                     *               "unknown": 0
                     *             },
                     *             "quote": null,
                     *             "waiting": null,
                     *             "credits_reserved": 2,
                     *             "credits_charged": 2,
                     *             "reused": 0,
                     *             "created_at": "2026-11-21T12:00:00.000Z",
                     *             "started_at": "2026-11-21T12:00:00.000Z",
                     *             "completed_at": "2026-11-21T12:00:00.000Z",
                     *             "estimated_completion_at": "2026-11-21T12:00:00.000Z",
                     *             "expires_at": "2026-12-21T12:00:00.000Z",
                     *             "retention_days": 7
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BatchPageReply"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    submitBatch: {
        parameters: {
            query?: {
                /** @description A name for the list; in JSON and forms it stands in the body. */
                name?: string;
                /** @description Where its end is told; in JSON and forms it stands in the body. */
                webhook_url?: string;
                /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
                max_credits?: number;
                /** @description So long after an answer that time may change it is tried again; 0: never. In JSON and forms it stands in the body. */
                retry_window_seconds?: number;
                /** @description How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows. In JSON and forms it stands in the body. */
                retention_days?: number;
                /** @description What divides the columns of a CSV; what its first line tells when left out. In forms it stands in the body. */
                delimiter?: "comma" | "semicolon" | "tab" | "bar";
                /** @description Take it in and count it, and wait for `start`: the reply has a `quote`, and nothing is reserved. */
                hold?: boolean;
                /** @description The column of a CSV that holds the addresses: its name, or its number from 1. */
                email_column?: string;
                /** @description How old a verdict may be that is given again for nothing; in JSON and forms it stands in the body. */
                reuse_days?: number;
            };
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "jane@example.com",
                 *         "john@example.com"
                 *       ],
                 *       "name": "Guests"
                 *     }
                 */
                "application/json": components["schemas"]["AgentBatchRequest"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": 150323855360001,
                     *         "status": "queued",
                     *         "total_emails": 2
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BatchTakenData"];
                    };
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402CreditsInsufficientCeilingReachedKeyCeilingReached"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostTooManyEndpointsTooManyHeld"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReusedTooManyEmails"];
            429: components["responses"]["Error429DailyCapacityExhausted"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": 150323855360001,
                     *         "status": "completed",
                     *         "name": "Guests",
                     *         "list_id": null,
                     *         "total_emails": 2,
                     *         "unique_emails": 2,
                     *         "processed": 2,
                     *         "progress": 1,
                     *         "counts": {
                     *           "valid": 1,
                     *           "invalid": 1,
                     *           "risky": 0,
                     *           "unknown": 0
                     *         },
                     *         "quote": null,
                     *         "waiting": null,
                     *         "credits_reserved": 2,
                     *         "credits_charged": 2,
                     *         "reused": 0,
                     *         "created_at": "2026-11-21T12:00:00.000Z",
                     *         "started_at": "2026-11-21T12:00:00.000Z",
                     *         "completed_at": "2026-11-21T12:00:00.000Z",
                     *         "estimated_completion_at": "2026-11-21T12:00:00.000Z",
                     *         "expires_at": "2026-12-21T12:00:00.000Z",
                     *         "retention_days": 7
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BatchReply"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removeBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": 150323855360001,
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BatchReply"] | components["schemas"]["BatchDeletedReply"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequiredCeilingNotAllowedKeyLastsLonger"];
            404: components["responses"]["Error404BatchNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    keepBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "retention_days": 7
                 *     }
                 */
                "application/json": components["schemas"]["KeepBatchRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BatchReply"];
                    };
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    startBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "max_credits": 1000
                 *     }
                 */
                "application/json": components["schemas"]["StartBatchRequest"] | null;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BatchReply"];
                    };
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402CeilingReachedKeyCeilingReachedCreditsInsufficient"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostBatchNotHeld"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBatchResults: {
        parameters: {
            query?: {
                format?: "json" | "csv" | "ndjson";
                /** @description Comma list; all when left out. */
                verdict?: string;
                /** @description Comma list of reasons, of which rows have one; all when left out. */
                reason?: string;
                /** @description Comma list of at most 20 domains, of which rows have one; all when left out. */
                domain?: string;
                /** @description The name of one mail operator; `none` for the rows of all that have no name here. */
                provider?: string;
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description The result columns of a CSV, as a comma list; `all` for every one. A CSV that comes back in the layout in which it was sent has `verdict,reason,action,score,did_you_mean` when this is left out, any other has all. */
                fields?: string;
                /** @description Whether a CSV begins with the byte order mark by which spreadsheets know UTF-8. */
                bom?: boolean;
                /** @description Whether every cell that a spreadsheet would run as a formula has an apostrophe before it. Without it those have one that the service writes; the columns of a CSV come back as they were sent. */
                formula_guard?: boolean;
                /** @description Whether to give what is answered so far when the batch still runs. */
                partial?: boolean;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": 150323855360001,
                     *         "status": "completed",
                     *         "total_emails": 2,
                     *         "results": [
                     *           {
                     *             "email": "jane@example.com",
                     *             "result": "valid",
                     *             "reason": "mailbox_exists",
                     *             "score": 98,
                     *             "disposable": false,
                     *             "role": false,
                     *             "free": false,
                     *             "accept_all": false,
                     *             "did_you_mean": null
                     *           },
                     *           {
                     *             "email": "nobody@example.com",
                     *             "result": "invalid",
                     *             "reason": "mailbox_not_found",
                     *             "score": 1,
                     *             "disposable": false,
                     *             "role": true,
                     *             "free": false,
                     *             "accept_all": false,
                     *             "did_you_mean": null
                     *           }
                     *         ],
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AgentResultsData"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            409: components["responses"]["Error409BatchNotFinished"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    followBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last event that the caller has: it is not sent again. */
                "Last-Event-ID"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: `progress` until the end, then `completed`, `failed`, `cancelled` or `deleted`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The caller has seen the end: nothing will follow. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            429: components["responses"]["Error429TooManyStreams"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBatchSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BatchSummaryReply"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            409: components["responses"]["Error409BatchNotFinished"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    estimate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "jane@example.com",
                 *         "jane@EXAMPLE.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EstimateRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EstimateReply"];
                    };
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
