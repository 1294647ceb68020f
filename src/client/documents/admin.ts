export interface paths {
    "/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Full accounts, newest first */
        get: operations["listAccounts"];
        put?: never;
        /** Create a full account */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An account with all that is newest of it */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the plan, the region, the contact or the note of an account */
        patch: operations["changeAccount"];
        trace?: never;
    };
    "/admin/v1/accounts/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suspend an account: its keys are refused */
        post: operations["suspendAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a suspended account work again */
        post: operations["resumeAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/credits/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give credits to an account */
        post: operations["grantCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/credits/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Correct the credits of an account */
        post: operations["adjustCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change of the balance of an account, newest first */
        get: operations["listAccountLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done by and with an account, newest first */
        get: operations["listAccountAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of an account, newest first */
        get: operations["listAccountKeys"];
        put?: never;
        /** Create a live or test key for an account */
        post: operations["createAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Agents, the latest registration first */
        get: operations["searchAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/agents/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke the keys of all agents that registered from an address or network */
        post: operations["revokeAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/pool": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The credits that agents share today */
        get: operations["getPool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change today's shared credits */
        patch: operations["changePool"];
        trace?: never;
    };
    "/admin/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What administrators and accounts changed, newest first */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/blacklists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Block lists, their health and its changes */
        get: operations["listWatchedBlacklists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/blacklists/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a block list for its test points now
         * @description Nothing is asked where this installation may not ask the list.
         */
        post: operations["testBlacklist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/blacklists/{id}/turn-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let nobody ask a block list */
        post: operations["turnBlacklistOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/blacklists/{id}/turn-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a block list be asked again */
        post: operations["turnBlacklistOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/egress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** From where mail hosts are asked, and how that is taken */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/egress/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a source ask only where it has to come back
         * @description Hosts that greylist know the address that they have seen. It holds on all processes within two seconds.
         */
        post: operations["drainSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/egress/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a source ask nobody */
        post: operations["pauseSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/egress/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a source ask again
         * @description One that rests by itself asks again too, until the next look at the block lists.
         */
        post: operations["resumeSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/egress/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a source now, as mail hosts do
         * @description HELO name, reverse name, SPF and block lists, by the resolver of this installation. It takes some seconds.
         */
        post: operations["testSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Erasures of all accounts, newest first */
        get: operations["listAllErasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who works on batches, what each has, what waits, and whether port 25 is open */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The lists by which domains are judged, and how old each is */
        get: operations["listMailLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Admin keys, newest first */
        get: operations["listAdminKeys"];
        put?: never;
        /** Create an admin key */
        post: operations["createAdminKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A key, and whose it is */
        get: operations["getAnyKey"];
        put?: never;
        post?: never;
        /** Revoke a key for ever, alone or with all keys that it made */
        delete: operations["revokeAnyKey"];
        options?: never;
        head?: never;
        /** Change the name, the permissions, the networks or the ceilings of a key */
        patch: operations["changeAnyKey"];
        trace?: never;
    };
    "/admin/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a key by a new one; the old one keeps working for its grace */
        post: operations["rotateAnyKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/monitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How late monitors are, and how they are */
        get: operations["listAllMonitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/monitors/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a monitor from running; its owner sees the reason */
        post: operations["pauseMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/monitors/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a monitor run again */
        post: operations["resumeMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mail operators, and which are paused */
        get: operations["listOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operators/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open no connection to a mail operator any more
         * @description It holds on all processes within two seconds.
         */
        post: operations["pauseOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operators/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a mail operator be asked again */
        post: operations["resumeOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/opt-outs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Domains and mail hosts that are left alone, newest first */
        get: operations["listOptOuts"];
        put?: never;
        /**
         * Leave a domain or a mail host alone
         * @description It holds on all processes within ten seconds, for batches under way too.
         */
        post: operations["addOptOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/opt-outs/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a domain or mail host be asked again */
        post: operations["removeOptOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a text belongs to
         * @description A token of a key or of a claim, or a line of a log that holds one, the last four of a token, the id of an account, key or batch, the address or network that agents registered from, or part of a name or contact. A token is compared by its hash, and kept and logged nowhere.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The key of a token, and whose it is */
        post: operations["lookUpKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/placement/seeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Seed mailboxes, and whether they can be read */
        get: operations["listSeeds"];
        put?: never;
        /**
         * Add a seed mailbox
         * @description What opens it is sealed, and never shown again. Tests use it once a worker has read it.
         */
        post: operations["addSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/placement/seeds/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in to a seed mailbox now
         * @description A success counts as a health check; a failure turns nothing off.
         */
        post: operations["testSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/placement/seeds/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a seed mailbox new credentials
         * @description One that was off is on again. Tests use it once a worker has read it.
         */
        post: operations["rotateSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/placement/seeds/{id}/off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a seed mailbox no more
         * @description In tests that wait for it, it becomes `seed_error`, which counts nowhere.
         */
        post: operations["turnSeedOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/placement/seeds/{id}/on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a seed mailbox again */
        post: operations["turnSeedOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The suppression list of all accounts, newest first */
        get: operations["listGlobalSuppressions"];
        put?: never;
        /** Keep people from being found by any account */
        post: operations["suppressForAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/suppressions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take an address off the list of all accounts */
        delete: operations["unsuppressForAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Batches of all accounts, newest first */
        get: operations["listAllBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A batch, whosever it is */
        get: operations["getAnyBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/batches/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a failed batch */
        post: operations["retryBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhook deliveries of all accounts, newest first */
        get: operations["listAllDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again */
        post: operations["retryDelivery"];
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
        AccountCreditsBody: {
            remaining: number;
            /** @description Held for work that still runs. */
            reserved: number;
            used_total: number;
            free_granted: number;
        };
        AccountDetailsReply: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "full" | "agent";
            name: string | null;
            /** @enum {string} */
            plan: "free" | "pro" | "scale" | "agent";
            /** @enum {string} */
            status: "active" | "suspended";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            suspended_at: string | null;
            /** @description Whom to write to. */
            contact_email: string | null;
            /** @description Of administrators, for administrators. */
            note: string | null;
            /**
             * @description Whose workers alone work on its batches; null: any worker does.
             * @example eu
             */
            region: string | null;
            /** @description Null for an agent's account, which has daily credits. */
            credits: components["schemas"]["AccountCreditsBody"] | null;
            /** @description What an agent told of itself; null for a full account. */
            agent: components["schemas"]["AgentReply"] | null;
            /** @description Of an agent, today; null for a full account. */
            agent_credits: components["schemas"]["AgentCreditsBody"] | null;
            /** @description Of live keys, on each of the last 30 days, with what was refused. */
            usage: components["schemas"]["UsageReply"];
            /** @description The newest 20. */
            keys: components["schemas"]["KeyReply"][];
            /** @description The newest 20. */
            batches: components["schemas"]["WorkBatchReply"][];
            /** @description The newest 20. Of both modes, with how they do. */
            webhooks: components["schemas"]["WebhookReply"][];
            /** @description The newest 20. */
            ledger: components["schemas"]["CreditEntryReply"][];
            /** @description The newest 20. Of the account and of administrators. */
            audit: components["schemas"]["AdminAuditEntryReply"][];
        };
        AccountOverviewReply: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "full" | "agent";
            name: string | null;
            /** @enum {string} */
            plan: "free" | "pro" | "scale" | "agent";
            /** @enum {string} */
            status: "active" | "suspended";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            suspended_at: string | null;
            /** @description Whom to write to. */
            contact_email: string | null;
            /** @description Of administrators, for administrators. */
            note: string | null;
            /**
             * @description Whose workers alone work on its batches; null: any worker does.
             * @example eu
             */
            region: string | null;
            /** @description Null for an agent's account, which has daily credits. */
            credits: components["schemas"]["AccountCreditsBody"] | null;
        };
        AccountPageReply: {
            accounts: components["schemas"]["AccountReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        AccountReply: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "full" | "agent";
            name: string | null;
            /** @enum {string} */
            plan: "free" | "pro" | "scale" | "agent";
            /** @enum {string} */
            status: "active" | "suspended";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            suspended_at: string | null;
            /** @description Whom to write to. */
            contact_email: string | null;
            /** @description Of administrators, for administrators. */
            note: string | null;
            /**
             * @description Whose workers alone work on its batches; null: any worker does.
             * @example eu
             */
            region: string | null;
        };
        AdjustRequest: {
            reason: string;
            amount: number;
        };
        AdminAuditActorBody: {
            /**
             * Format: uuid
             * @description The key that acted; null on the command line.
             */
            key_id: string | null;
            name: string;
        };
        AdminAuditEntryReply: {
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            at: string;
            /** @example key.rotate */
            act: string;
            /**
             * Format: uuid
             * @description The key that was changed.
             */
            key_id: string | null;
            /** @description Which thing it was, and what of it changed. */
            details: {
                [key: string]: unknown;
            };
            actor: components["schemas"]["AdminAuditActorBody"];
            /** @description The client's address, or the machine of the command line. */
            from: string;
            /** Format: uuid */
            account_id: string | null;
            /**
             * @description Of the account's key that acted; null when an administrator did.
             * @enum {string|null}
             */
            mode: "live" | "test" | null;
        };
        AdminAuditPageReply: {
            entries: components["schemas"]["AdminAuditEntryReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        AgentCreditsBody: {
            daily_free_credits: number;
            used_today: number;
            reserved: number;
            remaining: number;
            /** Format: date-time */
            resets_at: string;
        };
        AgentPageReply: {
            agents: components["schemas"]["AgentReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        AgentReply: {
            /** Format: uuid */
            key_id: string;
            /** Format: uuid */
            account_id: string;
            name: string | null;
            purpose: string | null;
            contact: string | null;
            /** @description Where it registered from. */
            client_address: string | null;
            last_four: string;
            /** @enum {string} */
            status: "active" | "grace" | "expired" | "revoked";
            /** Format: date-time */
            registered_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: uuid
             * @description The full account that has claimed it.
             */
            claimed_by: string | null;
            /** Format: date-time */
            claimed_at: string | null;
        };
        AllMonitorsReply: {
            /** @description How long the live one that has waited longest is due. */
            oldest_due_seconds: number;
            /** @description Live ones that are due and wait. */
            due: number;
            /** @description Live ones. */
            by_state: components["schemas"]["MonitorCountsReply"];
            /** @description At most 100 that run next, the most overdue first, and at most 100 that are paused, by administrators first. */
            monitors: components["schemas"]["AnyMonitorReply"][];
        };
        AnyMonitorReply: {
            /** Format: int64 */
            id: number;
            /** Format: uuid */
            account_id: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @enum {string} */
            kind: "domain" | "address";
            target: string;
            /** @enum {string} */
            state: "pending" | "ok" | "warning" | "critical" | "unknown" | "paused";
            /** @enum {string|null} */
            paused_by: "owner" | "plan" | "suspended" | "operator" | null;
            paused_why: string | null;
            interval_minutes: number;
            /**
             * Format: date-time
             * @description Null while it is paused.
             */
            next_run_at: string | null;
            /** Format: date-time */
            last_run_at: string | null;
        };
        CapacityRequest: {
            /** @description Null: what is configured. */
            capacity: number | null;
        };
        CeilingRequest: {
            /** @description What may be spent. */
            credits: number;
            /** @description Accepted so that you can send a reply back; ignored. */
            used?: unknown;
            /** @description Accepted so that you can send a reply back; ignored. */
            resets_at?: unknown;
        };
        CeilingsRequest: {
            /** @description Of a UTC day. */
            credits_per_day?: number | components["schemas"]["CeilingRequest"] | null;
            /** @description Of a UTC month. */
            credits_per_month?: number | components["schemas"]["CeilingRequest"] | null;
            /** @description In all. */
            credits_total?: number | components["schemas"]["CeilingRequest"] | null;
        };
        ChangeAccountRequest: {
            /**
             * Format: email
             * @description Whom to write to.
             */
            contact_email?: string | null;
            /** @description Of administrators, for administrators; no caller of the account sees it. */
            note?: string | null;
            /** @description Whose workers alone work on its batches, a region of a source or of a worker; null: any worker. */
            region?: string | null;
            /**
             * @description `agent` is accepted only for an agent's account, and changes nothing there: such accounts have no plan.
             * @enum {string|null}
             */
            plan?: "free" | "pro" | "scale" | "agent" | null;
        };
        ChangeAnyKeyRequest: {
            /** @description Spending limits in the form that replies use. Use this or the fields `credits_per_day`, `credits_per_month`, `credits_total`, not both. null removes all limits. */
            ceilings?: components["schemas"]["CeilingsRequest"] | null;
            /** @description The most credits that it spends in a UTC day. */
            credits_per_day?: number | null;
            /** @description The most credits that it spends in a UTC month. */
            credits_per_month?: number | null;
            /** @description The most credits that it spends in all. */
            credits_total?: number | null;
            /** @description What the key is for; null: nothing. */
            name?: string | null;
            /** @description What the key may do; all when left out. */
            permissions?: ("verify" | "batches" | "results" | "lists" | "finder" | "webhooks" | "keys" | "credits" | "suppressions" | "deliverability" | "audit" | "settings" | "read" | "support" | "impersonate" | "all")[] | null;
            /**
             * @description The networks from which the key works, in CIDR notation; everywhere when left out.
             * @example [
             *       "192.0.2.0/24",
             *       "2001:db8::/32"
             *     ]
             */
            networks?: string[] | null;
        };
        CreateAccountRequest: {
            /**
             * Format: email
             * @description Whom to write to.
             */
            contact_email?: string | null;
            /** @description Of administrators, for administrators; no caller of the account sees it. */
            note?: string | null;
            /** @description Whose workers alone work on its batches, a region of a source or of a worker; null: any worker. */
            region?: string | null;
            name: string;
            /** @enum {string|null} */
            plan?: "free" | "pro" | "scale" | null;
        };
        CreateAdminKeyRequest: {
            name: string;
            /**
             * Format: date-time
             * @description From then on the key is refused; without it, when the key that makes it is.
             */
            expires_at?: string | null;
            /** @description What the key may do; all when left out. */
            permissions?: ("read" | "support" | "impersonate" | "all")[] | null;
            /**
             * @description The networks from which the key works, in CIDR notation; everywhere when left out.
             * @example [
             *       "192.0.2.0/24",
             *       "2001:db8::/32"
             *     ]
             */
            networks?: string[] | null;
        };
        CreateKeyRequest: {
            /** @description Spending limits in the form that replies use. Use this or the fields `credits_per_day`, `credits_per_month`, `credits_total`, not both. null removes all limits. */
            ceilings?: components["schemas"]["CeilingsRequest"] | null;
            /** @description The most credits that it spends in a UTC day. */
            credits_per_day?: number | null;
            /** @description The most credits that it spends in a UTC month. */
            credits_per_month?: number | null;
            /** @description The most credits that it spends in all. */
            credits_total?: number | null;
            /**
             * @description Default: "live".
             * @enum {string|null}
             */
            kind?: "live" | "test" | null;
            /** @description What the key is for. */
            name?: string | null;
            /**
             * Format: date-time
             * @description From then on the key is refused; without it, when the key that makes it is; made by an administrator, it then does not expire.
             */
            expires_at?: string | null;
            /** @description What the key may do; all when left out. */
            permissions?: ("verify" | "batches" | "results" | "lists" | "finder" | "webhooks" | "keys" | "credits" | "suppressions" | "deliverability" | "audit" | "settings")[] | null;
            /**
             * @description The networks from which the key works, in CIDR notation; everywhere when left out.
             * @example [
             *       "192.0.2.0/24",
             *       "2001:db8::/32"
             *     ]
             */
            networks?: string[] | null;
        };
        CreditEntryReply: {
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            kind: "grant" | "reserve" | "charge" | "release" | "adjust";
            /** @description What the balance was changed by. */
            amount: number;
            balance_after: number;
            /**
             * @description The operation, or the reason of a grant.
             * @example verify
             */
            what_for: string;
            /**
             * Format: uuid
             * @description The key that asked.
             */
            key_id: string | null;
            /**
             * Format: int64
             * @description The batch, and the list that it becomes, for which the entry is.
             */
            batch_id: number | null;
        };
        CreditHistoryReply: {
            entries: components["schemas"]["CreditEntryReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        EgressReply: {
            sources: components["schemas"]["EgressSourceReply"][];
        };
        EgressSourceReply: {
            /** @description Its name in `config/egress.json`; `default` without that file. */
            name: string;
            /** @description Null: the system or a proxy chooses. */
            address: string | null;
            /** @description Host and port of its SOCKS5 proxy. */
            proxy: string | null;
            helo: string;
            /** @description Empty: the null sender. */
            mail_from: string;
            region: string | null;
            weight: number;
            /**
             * Format: date-time
             * @description When it began to ask; null: long ago.
             */
            since: string | null;
            /** @description Recipients that it may name to each mail operator today, while it is new; null: as many as it likes. */
            recipients_today: number | null;
            /** @description The same at operators of a class of their own in the table of warming up; empty: it may name as many as it likes at all of them, or there are none. */
            recipients_today_at: components["schemas"]["OperatorQuotaBody"][];
            /** @description The operators that it may ask; null: any. */
            operators: string[] | null;
            /**
             * @description open: it asks. drained: it asks only where it has to come back. paused: it asks nobody. resting: drained by itself, since a block list has it.
             * @enum {string}
             */
            condition: "open" | "drained" | "paused" | "resting";
            /** @description Why it does not ask; null: it does. */
            reason: string | null;
            /** @description Who has drained or paused it. */
            by: string | null;
            /**
             * Format: date-time
             * @description Since when it does not ask.
             */
            stopped_at: string | null;
            /** @description What mail hosts look at; empty before the first look. */
            checks: components["schemas"]["SourceCheckBody"][];
            /** @description Block lists that have it. */
            listings: components["schemas"]["SourceListingBody"][];
            /** @description Mail operators that refuse it. */
            circuits: components["schemas"]["SourceCircuitBody"][];
            /** @description What mail operators refused it in the last 24 hours, to the hour, by operator and kind. */
            refusals: components["schemas"]["SourceRefusalsBody"][];
            /** @description The processes that use it. */
            processes: components["schemas"]["SourceProcessBody"][];
        };
        ErasedBody: {
            /** @description Batches and lists that had the address. */
            batches: number;
            /** @description Rows in them that were emptied, or lost a cell that named it. */
            rows: number;
            /** @description Bodies of webhooks, which are made anew without it. */
            webhook_bodies: number;
            /** @description Replies of webhooks' receivers. */
            webhook_replies: number;
            /** @description Replies that were kept for an `Idempotency-Key`. */
            kept_replies: number;
            /** @description Verdicts that were kept for `reuse_days`. */
            kept_verdicts: number;
            /** @description Entries of the suppression list. */
            suppressions: number;
            /** @description Claimed agents that named it when they registered. */
            agents: number;
            /** @description Names of the account, of keys and of browsers that were signed in. */
            names: number;
            /** @description Entries of the audit log that told of it, and have lost that text. */
            audit_entries: number;
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
            code: "credits_insufficient";
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
            code: "admin_required" | "permission_missing" | "address_not_allowed" | "key_in_grace" | "key_lasts_longer" | "account_suspended";
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
            code: "batch_not_found" | "delivery_not_found" | "key_not_found" | "account_not_found" | "operator_not_found" | "monitor_not_found" | "suppression_not_found" | "source_not_found" | "blacklist_not_found" | "opt_out_not_found" | "seed_not_found";
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
            code: "monitor_not_paused" | "idempotency_in_progress" | "idempotency_reply_lost" | "agent_account" | "too_many_keys" | "key_already_rotated" | "key_already_expired" | "balance_too_low" | "seed_exists" | "seed_busy" | "too_many_seeds" | "endpoint_disabled" | "batch_not_failed";
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
            code: "invalid_input" | "idempotency_key_reused";
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
            code: "rate_limited" | "request_in_flight";
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
        FieldErrorBody: {
            /** @example emails[3] */
            field: string;
            error: string;
        };
        FoundLinksBody: {
            /** Format: uri-reference */
            account: string | null;
            /**
             * Format: uri-reference
             * @description The keys of the account.
             */
            keys: string | null;
            /**
             * Format: uri-reference
             * @description What was done with the account, and by it.
             */
            audit: string | null;
            /**
             * Format: uri-reference
             * @description The batches of the account.
             */
            batches: string | null;
            /**
             * Format: uri-reference
             * @description The key: `DELETE` revokes it, `POST` with `/rotate` replaces it.
             */
            key: string | null;
            /** Format: uri-reference */
            batch: string | null;
        };
        FoundReply: {
            /** @enum {string} */
            type: "account" | "key" | "batch";
            /**
             * @description `text`: part of a name or contact, or of what an agent told of itself.
             * @enum {string}
             */
            matched_by: "token" | "id" | "last_four" | "address" | "text";
            /** @description Whose it is; null for an admin key. */
            account: components["schemas"]["AccountReply"] | null;
            key: components["schemas"]["KeyReply"] | null;
            batch: components["schemas"]["WorkBatchReply"] | null;
            /** @description What an agent told of itself when it registered. */
            agent: components["schemas"]["AgentReply"] | null;
            links: components["schemas"]["FoundLinksBody"];
        };
        GrantRequest: {
            reason: string;
            amount: number;
        };
        IssuedKeyReply: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "live" | "test" | "admin" | "agent";
            name: string | null;
            /**
             * @description The last four characters of the token, to tell keys apart.
             * @example x7Qd
             */
            last_four: string;
            /**
             * @description `grace`: rotated, and still working until `revoked_at`.
             * @enum {string}
             */
            status: "active" | "grace" | "expired" | "revoked";
            /** @description What the key may do; null: all. */
            permissions: ("verify" | "batches" | "results" | "lists" | "finder" | "webhooks" | "keys" | "credits" | "suppressions" | "deliverability" | "audit" | "settings" | "read" | "support" | "impersonate" | "all")[] | null;
            /** @description From where it works, in CIDR notation; null: everywhere. */
            networks: string[] | null;
            /** @description What it may spend of the balance; null: whatever there is, and of an agent nothing. */
            ceilings: components["schemas"]["KeyCeilingsReply"] | null;
            /** @description Who made it, or claimed it as an agent; what rotation puts in its place has the same. Null: an agent that registered itself, or a key that is older than this member. */
            created_by: components["schemas"]["KeyMakerReply"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Written at most once a minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Ahead of now while a rotated key has its grace.
             */
            revoked_at: string | null;
            /** @description The token. Shown here and never again; null in the replay of an idempotency key to another API key. */
            api_key: string | null;
        };
        KeyCeilingReply: {
            /** @description What may be spent. */
            credits: number;
            /** @description Charged, and reserved for work that still runs. */
            used: number;
            /**
             * Format: date-time
             * @description When `used` starts again at 0; null: never.
             */
            resets_at: string | null;
        };
        KeyCeilingsReply: {
            /** @description Of a UTC day. */
            credits_per_day: components["schemas"]["KeyCeilingReply"] | null;
            /** @description Of a UTC month. */
            credits_per_month: components["schemas"]["KeyCeilingReply"] | null;
            credits_total: components["schemas"]["KeyCeilingReply"] | null;
        };
        KeyMakerReply: {
            /** @enum {string} */
            type: "key" | "administrator";
            /**
             * Format: uuid
             * @description The key, or that of the administrator; null: an administrator by the command line.
             */
            id: string | null;
        };
        KeyPageReply: {
            keys: components["schemas"]["KeyReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        KeyReply: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "live" | "test" | "admin" | "agent";
            name: string | null;
            /**
             * @description The last four characters of the token, to tell keys apart.
             * @example x7Qd
             */
            last_four: string;
            /**
             * @description `grace`: rotated, and still working until `revoked_at`.
             * @enum {string}
             */
            status: "active" | "grace" | "expired" | "revoked";
            /** @description What the key may do; null: all. */
            permissions: ("verify" | "batches" | "results" | "lists" | "finder" | "webhooks" | "keys" | "credits" | "suppressions" | "deliverability" | "audit" | "settings" | "read" | "support" | "impersonate" | "all")[] | null;
            /** @description From where it works, in CIDR notation; null: everywhere. */
            networks: string[] | null;
            /** @description What it may spend of the balance; null: whatever there is, and of an agent nothing. */
            ceilings: components["schemas"]["KeyCeilingsReply"] | null;
            /** @description Who made it, or claimed it as an agent; what rotation puts in its place has the same. Null: an agent that registered itself, or a key that is older than this member. */
            created_by: components["schemas"]["KeyMakerReply"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description Written at most once a minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Ahead of now while a rotated key has its grace.
             */
            revoked_at: string | null;
        };
        ListHealthChangeReply: {
            /** @enum {string} */
            kind: "ipv4" | "ipv6" | "domain";
            /** @enum {string} */
            state: "healthy" | "refused" | "unhealthy" | "silent";
            /** @example public_resolver */
            why: string | null;
            /** Format: date-time */
            at: string;
        };
        ListHealthReply: {
            /** @enum {string} */
            kind: "ipv4" | "ipv6" | "domain";
            /** @enum {string} */
            state: "healthy" | "refused" | "unhealthy" | "silent";
            /** @example public_resolver */
            why: string | null;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            tested_at: string;
        };
        LookupRequest: {
            token: string;
        };
        MailListReply: {
            /** @example disposable.txt */
            file: string;
            entries: number;
            /**
             * @description The beginning of the SHA-256 of the file.
             * @example 0f3c5d1e2a4b
             */
            version: string;
            /**
             * Format: date
             * @description Null: it is kept by hand.
             */
            built_on: string | null;
            /** @description Days since it was built. */
            age_days: number | null;
            /**
             * Format: date-time
             * @description Of the file on this machine.
             */
            changed_at: string;
        };
        MailListsReply: {
            lists: components["schemas"]["MailListReply"][];
        };
        MonitorCountsReply: {
            pending: number;
            ok: number;
            warning: number;
            critical: number;
            unknown: number;
            paused: number;
        };
        OperatorCircuitBody: {
            /**
             * @description The name of the source of ours that it refuses.
             * @example default
             */
            source: string;
            /** @description The address of ours that it refuses; null where a proxy connects for us. */
            address: string | null;
            /** @description Refusals in a row, the most that a process has seen. */
            refusals: number;
            /**
             * @description The codes of the last one.
             * @example 550 5.7.1
             */
            last_refusal: string;
            /**
             * Format: date-time
             * @description Then one connection tries whether it still refuses.
             */
            open_until: string;
            /** @description Processes that it refuses. */
            processes: number;
        };
        OperatorMeasureBody: {
            /**
             * Format: date-time
             * @description When a made-up name was asked last: at most one an hour.
             */
            asked_at: string;
            /** @description Made-up names accepted in a row. */
            accepted_in_a_row: number;
            /**
             * Format: date-time
             * @description Since then it has accepted two in a row, and what it accepts is `catch_all`. Null: it is believed.
             */
            accepts_all_since: string | null;
            /**
             * Format: date-time
             * @description When it last accepted a made-up name or said that there is none such. Null: never.
             */
            answered_at: string | null;
            /**
             * @description The domain of that name.
             * @example yandex.ru
             */
            domain: string | null;
            /**
             * @description The mail host that answered.
             * @example mx.yandex.ru
             */
            mail_host: string | null;
            /**
             * @description What it answered, without the name.
             * @example 250 Ok
             */
            reply: string | null;
        };
        OperatorPauseBody: {
            reason: string;
            /** @description Who has paused it. */
            by: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description Null: until it is resumed.
             */
            until: string | null;
        };
        OperatorQuotaBody: {
            /** @example google */
            operator: string;
            recipients: number;
        };
        OperatorReply: {
            /** @description A row of `config/mail-providers.json`, or the first mail host of an operator without one. */
            name: string;
            title: string | null;
            /** @description Null: it is asked as always. */
            paused: components["schemas"]["OperatorPauseBody"] | null;
            /** @description Where it refuses us, so that nobody asks it for a while and its addresses are `ip_blocked`. */
            circuits: components["schemas"]["OperatorCircuitBody"][];
            /** @description What it has answered to made-up names, where it is believed to refuse unknown ones on its own domains. Null: it was asked none yet, or is never asked one. */
            measured: components["schemas"]["OperatorMeasureBody"] | null;
        };
        OperatorsReply: {
            operators: components["schemas"]["OperatorReply"][];
        };
        OptOutPageReply: {
            opt_outs: components["schemas"]["OptOutReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        OptOutReply: {
            /** Format: uuid */
            id: string;
            /**
             * @description A domain of addresses, or a host that takes mail.
             * @enum {string}
             */
            kind: "domain" | "mail_host";
            /** @description Names below it are left alone too. */
            name: string;
            reason: string;
            /** @description An administrator, or the postmaster by a mailed link. */
            by: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description When it ends, unless somebody opts out again.
             */
            until: string;
        };
        OptOutRequest: {
            reason: string;
            /** @enum {string} */
            kind: "domain" | "mail_host";
            name: string;
            /**
             * Format: date-time
             * @description When it ends, at most 400 days ahead; without it after 400 days.
             */
            until?: string | null;
        };
        PauseOperatorRequest: {
            reason: string;
            /**
             * Format: date-time
             * @description Then the pause ends by itself; without it, when it is resumed.
             */
            until?: string | null;
        };
        PoolReply: {
            /**
             * Format: date
             * @description The UTC day.
             */
            date: string;
            capacity: number;
            /** @description What holds on days that nobody has changed. */
            configured_capacity: number;
            used: number;
            remaining: number;
            /** Format: date-time */
            resets_at: string;
        };
        Port25Reply: {
            /** @description Its host name. */
            machine: string;
            /**
             * @description `blocked`: a mail host stayed silent, and those of the domains that this service knows did too, so that connections do not leave the machine.
             * @enum {string}
             */
            state: "open" | "blocked";
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description When a mail host answered last; null: none has.
             */
            answered_at: string | null;
            /** @description Processes of the machine that tell this. */
            processes: number;
        };
        QueuesReply: {
            /** @description Batches that nobody has begun. */
            batches_queued: number;
            batches_processing: number;
            /** @description Chunks of batches that a worker may take now. */
            chunks_due: number;
            /** @description Chunks that a worker has. */
            chunks_leased: number;
            /** @description Chunks that are tried again later. */
            chunks_later: number;
            /** @description Deliveries to webhooks whose time has come. */
            deliveries_due: number;
            /** @description Deliveries that are tried again later, or whose endpoint is disabled. */
            deliveries_later: number;
            /**
             * Format: date-time
             * @description Since when the oldest due delivery waits.
             */
            oldest_delivery_due_at: string | null;
        };
        ReasonRequest: {
            reason: string;
        };
        RevokeAgentsRequest: {
            address: string;
        };
        RevokedAgentsReply: {
            address: string;
            /** @description How many keys this has revoked. */
            revoked: number;
        };
        RotateKeyRequest: {
            /** @description How long the old key keeps working. Default: 86400. */
            grace_seconds?: number | null;
        };
        RunningBatchBody: {
            /** Format: int64 */
            id: number;
            /**
             * @description Of addresses, or of people.
             * @enum {string}
             */
            kind: "verify" | "find";
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
        };
        SearchReply: {
            /** @description The surest first. */
            matches: components["schemas"]["FoundReply"][];
            /** @description There are more matches than are shown: search for more of the text. */
            more: boolean;
        };
        SeedCredentialsRequest: {
            /** @description Of the mailbox, or better one that the provider gives for this program alone ("app password"). */
            password?: string | null;
            /** @description Instead of a password: a refresh token of OAuth 2, for a login by XOAUTH2. */
            refresh_token?: string | null;
            /**
             * Format: uri
             * @description With a refresh token: where access tokens are given out.
             */
            token_url?: string | null;
            /** @description With a refresh token: the client that it was given to. */
            client_id?: string | null;
            /** @description With a refresh token: the secret of that client, if it has one. */
            client_secret?: string | null;
        };
        SeedMailboxReply: {
            /** Format: uuid */
            id: string;
            /** @description A row of `config/seed-providers.json`. */
            provider: string;
            address: string;
            host: string;
            port: number;
            /** @enum {string} */
            security: "tls" | "starttls" | "none";
            login: string;
            authserv_id: string | null;
            /** @enum {string} */
            state: "on" | "off";
            /** @description New tests use it: it is on, and was read. */
            usable: boolean;
            /** @description The last failure since it was read, or the reason of who has turned it off. Trust nothing in it. */
            why: string | null;
            /** @description Health checks in a row that have failed; three turn it off. */
            failures: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last read, since it was turned on.
             */
            last_ok_at: string | null;
            /**
             * Format: date-time
             * @description Of the last health check, or look that succeeded.
             */
            checked_at: string | null;
        };
        SeedMailboxesReply: {
            seeds: components["schemas"]["SeedMailboxReply"][];
        };
        SeedRequest: {
            /** @description Of the mailbox, or better one that the provider gives for this program alone ("app password"). */
            password?: string | null;
            /** @description Instead of a password: a refresh token of OAuth 2, for a login by XOAUTH2. */
            refresh_token?: string | null;
            /**
             * Format: uri
             * @description With a refresh token: where access tokens are given out.
             */
            token_url?: string | null;
            /** @description With a refresh token: the client that it was given to. */
            client_id?: string | null;
            /** @description With a refresh token: the secret of that client, if it has one. */
            client_secret?: string | null;
            /**
             * @description A row of `config/seed-providers.json`.
             * @enum {string}
             */
            provider: "gmail" | "outlook" | "yahoo" | "aol" | "icloud" | "fastmail" | "gmx" | "webde" | "zoho" | "yandex" | "mailru" | "other";
            /**
             * Format: email
             * @description Where tests are sent to.
             */
            address: string;
            /** @description The IMAP server; the provider's own by default. */
            host?: string | null;
            /** @description 993 by default. */
            port?: number | null;
            /**
             * @description tls: from the first byte. starttls: before anything secret is said. none: on loopback only, where `IMAP_ALLOW_PRIVATE` allows it. Default: "tls".
             * @enum {string|null}
             */
            security?: "tls" | "starttls" | "none" | null;
            /** @description The name to log in with; the address by default. */
            login?: string | null;
            /** @description Whose `Authentication-Results` are believed besides those of the provider: a name, or `*.` and a name for all below it. */
            authserv_id?: string | null;
        };
        SeedTestReply: {
            /** Format: uuid */
            id: string;
            /** @description A row of `config/seed-providers.json`. */
            provider: string;
            address: string;
            host: string;
            port: number;
            /** @enum {string} */
            security: "tls" | "starttls" | "none";
            login: string;
            authserv_id: string | null;
            /** @enum {string} */
            state: "on" | "off";
            /** @description New tests use it: it is on, and was read. */
            usable: boolean;
            /** @description The last failure since it was read, or the reason of who has turned it off. Trust nothing in it. */
            why: string | null;
            /** @description Health checks in a row that have failed; three turn it off. */
            failures: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last read, since it was turned on.
             */
            last_ok_at: string | null;
            /**
             * Format: date-time
             * @description Of the last health check, or look that succeeded.
             */
            checked_at: string | null;
            /** @description The login works, and INBOX can be read. */
            readable: boolean;
            /**
             * @description Why it cannot be read.
             * @enum {string|null}
             */
            fault: "address_refused" | "host_not_found" | "connection_failed" | "tls_failed" | "login_refused" | "timeout" | "too_much_data" | "too_many_folders" | "protocol_error" | "secret_unreadable" | "token_refused" | null;
            /** @description What its server said. Trust nothing in it. */
            told: string | null;
            folders: number | null;
            /** @description The server says which folder is for junk (RFC 6154); without that, junk counts as another folder. */
            has_junk: boolean | null;
        };
        SourceCheckBody: {
            /** @enum {string} */
            check: "helo" | "reverse_name" | "spf" | "port_25" | "block_lists";
            /** @enum {string} */
            state: "pass" | "fail" | "unknown";
            /** @description What was found. */
            text: string;
            /** Format: date-time */
            checked_at: string;
        };
        SourceCircuitBody: {
            /** @description The mail operator that refuses the source. */
            operator: string;
            /** @description Refusals in a row, the most that a process has seen. */
            refusals: number;
            /**
             * @description The codes of the last one.
             * @example 550 5.7.1
             */
            last_refusal: string;
            /**
             * Format: date-time
             * @description Then one connection tries whether it still refuses.
             */
            open_until: string;
            /** @description Processes that it refuses. */
            processes: number;
        };
        SourceListingBody: {
            /** @description A row of `config/blacklists.json`. */
            list: string;
            address: string;
            /** @description What the listing means, and the list’s own words. */
            text: string;
            /** @description Mail hosts refuse whom the list has: the source rests. */
            harmful: boolean;
            /** Format: date-time */
            since: string;
        };
        SourceProcessBody: {
            machine: string;
            /** @enum {string} */
            port_25: "open" | "blocked" | "unknown";
            /**
             * Format: date-time
             * @description Null: neither the address nor its proxy has a fault.
             */
            resting_until: string | null;
            fault: string | null;
        };
        SourceRefusalsBody: {
            /** @description A row of `config/mail-providers.json`, or the first mail host of an operator without one; `other` for more than can be told apart. */
            operator: string;
            /**
             * @description ip_blocked: the address or its name. rate_limited: too much at once. sender_rejected: HELO name, MAIL FROM or SPF. greylisted: it wants to be asked again later.
             * @enum {string}
             */
            kind: "ip_blocked" | "rate_limited" | "sender_rejected" | "greylisted";
            /** @description Over all processes. */
            refusals: number;
            /**
             * @description The codes of the last one.
             * @example 450 4.2.0
             */
            last_reply: string;
            /**
             * @description What the mail host wrote in it, on one line, without addresses, at most 512 bytes. Trust nothing in it.
             * @example Greylisted, please come back later
             */
            last_text: string;
            /** Format: date-time */
            last_at: string;
        };
        SuppressRequest: {
            /** Format: email */
            email?: string | null;
            /** @description Several at once. */
            emails?: string[] | null;
            /** @description Hashes instead of addresses: SHA-256 in hexadecimal of the address in lower case, without its `+tag`. */
            sha256?: string[] | null;
            /** @description For your own records. */
            reason?: string | null;
        };
        SuppressedReply: {
            /** @description How many of them were not on the list before. */
            added: number;
            suppressions: components["schemas"]["SuppressionReply"][];
        };
        SuppressionPageReply: {
            suppressions: components["schemas"]["SuppressionReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        SuppressionReply: {
            /** @description SHA-256 of the address; the address itself is not kept. */
            id: string;
            reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        UnworkedRegionReply: {
            /** @example eu */
            region: string;
            /** @description Batches that wait for a worker of it. */
            batches: number;
            /** Format: int64 */
            oldest_batch_id: number;
        };
        UsageCounts: {
            /** @description Distinct addresses or people that were answered. */
            items: number;
            /** @description Charged to the balance: over all days what the ledger charges. */
            credits: number;
            /** @description Charged to the free credits of an agent. */
            free_credits: number;
            /** @description Requests refused with 402; null by verdict, reason and endpoint, which they do not have. */
            refused_402: number | null;
            /** @description Requests refused with 429; null by verdict, reason and endpoint, which they do not have. */
            refused_429: number | null;
        };
        UsageReply: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            by: string;
            usage: components["schemas"]["UsageRowReply"][];
            total: components["schemas"]["UsageCounts"];
        };
        UsageRowReply: {
            /** @description Distinct addresses or people that were answered. */
            items: number;
            /** @description Charged to the balance: over all days what the ledger charges. */
            credits: number;
            /** @description Charged to the free credits of an agent. */
            free_credits: number;
            /** @description Requests refused with 402; null by verdict, reason and endpoint, which they do not have. */
            refused_402: number | null;
            /** @description Requests refused with 429; null by verdict, reason and endpoint, which they do not have. */
            refused_429: number | null;
            /** @description The day, the id of the key, the verdict, the reason or the endpoint. */
            value: string;
        };
        WatchedListReply: {
            /**
             * @description A row of `config/blacklists.json`.
             * @example psbl
             */
            id: string;
            name: string;
            /** @enum {string} */
            severity: "info" | "low" | "medium" | "high" | "critical";
            /** @description Whether this installation may ask it, by keys and terms. */
            configured: boolean;
            /** @description An administrator has turned it off: nobody asks it. */
            off: boolean;
            /** @description Why it is off. */
            reason: string | null;
            /** @description Who has turned it off. */
            off_by: string | null;
            /** Format: date-time */
            off_since: string | null;
            /** @description What its test points have shown last, by kind of targets. */
            health: components["schemas"]["ListHealthReply"][];
            /** @description Changes of its health in 90 days, newest first, at most 20. */
            history: components["schemas"]["ListHealthChangeReply"][];
        };
        WatchedListsReply: {
            blacklists: components["schemas"]["WatchedListReply"][];
        };
        WebhookReply: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("batch.completed" | "batch.failed" | "batch.cancelled" | "list.changed" | "verification.corrected" | "credits.low" | "monitor.changed" | "monitor.stalled" | "blacklist.listed" | "blacklist.delisted" | "placement.completed" | "placement.expired" | "dmarc.source_appeared")[];
            /**
             * @description Whose work it is told of: live keys', or test keys'.
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description `batch`: the `webhook_url` of a batch.
             * @enum {string}
             */
            made_by: "api" | "batch";
            /** @description So many rows of results a body carries at most. */
            include_results: number;
            enabled: boolean;
            /**
             * @description `gone`: it answered 410. `failing`: five days without a success.
             * @enum {string|null}
             */
            disabled_reason: "owner" | "gone" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description The first failure after the last success.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description The first 2xx from the present URL. Null: none has come, so what is sent there carries no results.
             */
            confirmed_at: string | null;
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation signs too.
             */
            old_secret_expires_at: string | null;
        };
        WorkBatchPageReply: {
            batches: components["schemas"]["WorkBatchReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        WorkBatchReply: {
            /** Format: int64 */
            id: number;
            /** Format: uuid */
            account_id: string;
            /**
             * Format: uuid
             * @description The key that sent it.
             */
            key_id: string;
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            /** @description Sent by a test key. */
            test: boolean;
            total_emails: number;
            unique_emails: number;
            counts: components["schemas"]["WorkCountsBody"];
            credits_reserved: number;
            credits_charged: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
        };
        WorkCountsBody: {
            valid: number;
            invalid: number;
            risky: number;
            unknown: number;
        };
        WorkDeliveryPageReply: {
            deliveries: components["schemas"]["WorkDeliveryReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        WorkDeliveryReply: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            account_id: string;
            /** Format: uuid */
            webhook_id: string;
            url: string;
            /** @description Whether the endpoint is; a disabled one gets nothing. */
            enabled: boolean;
            /** @example batch.completed */
            type: string;
            /** Format: int64 */
            batch_id: number | null;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            attempts: number;
            last_status: number | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            due_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
        };
        WorkErasurePageReply: {
            erasures: components["schemas"]["WorkErasureReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        WorkErasureReply: {
            /** Format: uuid */
            id: string;
            /**
             * @description `working`: its next step is done within seconds; `waiting`: for batches that run, which `waits_for` names; `done`: the address is gone from all that there was when it was asked; `failed`: for the reason in `failure`, so give the order again.
             * @enum {string}
             */
            status: "working" | "waiting" | "done" | "failed";
            /** @description The address is on the suppression list, by its hash. */
            suppressed: boolean;
            /** @description Batches that are still to be looked through. */
            batches_left: number;
            /** @description The first of them that run: their end, or `DELETE` of them, lets the erasure go on. */
            waits_for: components["schemas"]["RunningBatchBody"][];
            /**
             * @description `address_unreadable`: the service has lost its key to the order; `steps_failed`: what it tried has failed for three days.
             * @enum {string|null}
             */
            failure: "address_unreadable" | "steps_failed" | null;
            /** @description So far. */
            erased: components["schemas"]["ErasedBody"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** Format: uuid */
            account_id: string;
            /** @description Ordered by a test key. */
            test: boolean;
            /** @description Steps in a row that have failed; the log says why. */
            failed_steps: number;
            /**
             * Format: date-time
             * @description Of its next step; null when it has ended.
             */
            due_at: string | null;
        };
        WorkerReply: {
            /** @description The number that it holds as long as it lives. */
            id: number;
            /** Format: date-time */
            since: string;
            /** @description Whose accounts it works for, beside those without one; null: only for those. */
            region: string | null;
            /** @description Batches of which it has leased chunks. */
            batches: number;
            chunks: number;
            /** @description Addresses or people in them that have no answer yet. */
            items: number;
            /**
             * Format: date-time
             * @description When the first of its leases ends unless it renews it; null when it has none.
             */
            lease_ends_at: string | null;
        };
        WorkersReply: {
            /** @description Processes that work on batches and are alive. */
            workers: components["schemas"]["WorkerReply"][];
            queues: components["schemas"]["QueuesReply"];
            /** @description Regions that batches wait for, while no worker of them is alive. */
            unworked_regions: components["schemas"]["UnworkedRegionReply"][];
            /** @description Whether port 25 leaves the machines, as mail hosts have shown. A machine that has asked none yet is not there. */
            port_25: components["schemas"]["Port25Reply"][];
        };
    };
    responses: {
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
         *     - `admin_required`: This needs an admin key.
         */
        Error403AdminRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
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
        /** @description - `account_not_found`: There is no such account. */
        Error404AccountNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
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
        /** @description - `agent_account`: This is an agent's account: it has its one key, daily credits and no plan. */
        Error409AgentAccount: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `malformed_header`: A request header cannot be used as it is. */
        Error400MalformedHeader: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error400"];
            };
        };
        /** @description - `idempotency_key_reused`: This idempotency key was used with another request body. */
        Error422IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error422"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `agent_account`: This is an agent's account: it has its one key, daily credits and no plan.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostAgentAccount: {
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
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `agent_account`: This is an agent's account: it has its one key, daily credits and no plan.
         *     - `balance_too_low`: The account has fewer credits than are to be taken away.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostAgentAccountBalanceTooLow: {
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
         * @description - `account_suspended`: The account is suspended.
         *     - `address_not_allowed`: This key does not work from your network.
         *     - `permission_missing`: This key lacks a permission that this needs.
         *     - `admin_required`: This needs an admin key.
         *     - `key_in_grace`: This key was rotated: in its grace it makes and changes no keys. Use the one that took its place.
         */
        Error403AdminRequiredKeyInGrace: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `agent_account`: This is an agent's account: it has its one key, daily credits and no plan.
         *     - `too_many_keys`: The account has as many working keys of this kind as it may have.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostAgentAccountTooManyKeys: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `blacklist_not_found`: There is no such block list: GET /admin/v1/blacklists names those that there are. */
        Error404BlacklistNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `source_not_found`: There is no such source: GET /admin/v1/egress names those that there are. */
        Error404SourceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `key_not_found`: There is no such key. */
        Error404KeyNotFound: {
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
         *     - `admin_required`: This needs an admin key.
         *     - `key_in_grace`: This key was rotated: in its grace it makes and changes no keys. Use the one that took its place.
         *     - `key_lasts_longer`: A key changes, rotates and revokes none that works longer than itself, and replaces or deletes no schedule of such a key.
         */
        Error403AdminRequiredKeyInGraceKeyLastsLonger: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /** @description - `key_already_rotated`: The key has been rotated or revoked already. */
        Error409KeyAlreadyRotated: {
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
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `agent_account`: This is an agent's account: it has its one key, daily credits and no plan.
         *     - `key_already_rotated`: The key has been rotated or revoked already.
         *     - `key_already_expired`: The key has expired already.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostAgentAccountKeyAlreadyRotatedKeyAlreadyExpired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `monitor_not_found`: There is no such monitor. */
        Error404MonitorNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `monitor_not_paused`: No administrator has paused the monitor.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostMonitorNotPaused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `operator_not_found`: There is no such mail operator. */
        Error404OperatorNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `opt_out_not_found`: There is no such opt-out. */
        Error404OptOutNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `seed_exists`: There is a seed mailbox of this address already.
         *     - `too_many_seeds`: There are as many seed mailboxes as there may be.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostSeedExistsTooManySeeds: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `seed_not_found`: There is no such seed mailbox. */
        Error404SeedNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `seed_busy`: The mailbox is being read at this moment: ask again in a minute.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostSeedBusy: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `suppression_not_found`: This address is not on the suppression list. */
        Error404SuppressionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
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
        /** @description - `credits_insufficient`: There are not enough credits for this request. */
        Error402CreditsInsufficient: {
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
         *     - `batch_not_failed`: Only a batch that has failed can be begun again.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostBatchNotFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `delivery_not_found`: There is no such delivery. */
        Error404DeliveryNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `endpoint_disabled`: The webhook endpoint is disabled: enable it first.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostEndpointDisabled: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
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
    listAccounts: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                plan?: "free" | "pro" | "scale";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                     *       "accounts": [
                     *         {
                     *           "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *           "kind": "full",
                     *           "name": "Example Ltd",
                     *           "plan": "pro",
                     *           "status": "suspended",
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "suspended_at": "2026-11-21T12:00:00.000Z",
                     *           "contact_email": null,
                     *           "note": null,
                     *           "region": null
                     *         }
                     *       ],
                     *       "next_cursor": "cm93IDE"
                     *     }
                     */
                    "application/json": components["schemas"]["AccountPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createAccount: {
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
                 *       "name": "Example Ltd",
                 *       "plan": "pro"
                 *     }
                 */
                "application/json": components["schemas"]["CreateAccountRequest"];
            };
        };
        responses: {
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
                     *       "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *       "kind": "full",
                     *       "name": "Example Ltd",
                     *       "plan": "pro",
                     *       "status": "active",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "suspended_at": null,
                     *       "contact_email": null,
                     *       "note": null,
                     *       "region": null
                     *     }
                     */
                    "application/json": components["schemas"]["AccountReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
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
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDetailsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "plan": "scale",
                 *       "contact_email": "billing@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeAccountRequest"] | null;
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOverviewReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409AgentAccount"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    suspendAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
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
                     *       "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *       "kind": "full",
                     *       "name": "Example Ltd",
                     *       "plan": "pro",
                     *       "status": "suspended",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "suspended_at": "2026-11-21T12:00:00.000Z",
                     *       "contact_email": null,
                     *       "note": null,
                     *       "region": null,
                     *       "credits": {
                     *         "remaining": 1000,
                     *         "reserved": 0,
                     *         "used_total": 0,
                     *         "free_granted": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountOverviewReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
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
    resumeAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOverviewReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    grantCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 1000,
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["GrantRequest"];
            };
        };
        responses: {
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
                     *       "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *       "kind": "full",
                     *       "name": "Example Ltd",
                     *       "plan": "pro",
                     *       "status": "active",
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "suspended_at": null,
                     *       "contact_email": null,
                     *       "note": null,
                     *       "region": null,
                     *       "credits": {
                     *         "remaining": 1000,
                     *         "reserved": 0,
                     *         "used_total": 0,
                     *         "free_granted": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountOverviewReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostAgentAccount"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    adjustCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": -20,
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["AdjustRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountOverviewReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostAgentAccountBalanceTooLow"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAccountLedger: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditHistoryReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAccountAudit: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuditPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAccountKeys: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404AccountNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "kind": "live",
                 *       "name": "Shop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyRequest"] | null;
            };
        };
        responses: {
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
                     *       "api_key": "ms_test_…",
                     *       "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *       "kind": "test",
                     *       "name": "Shop",
                     *       "last_four": "x7Qd",
                     *       "status": "active",
                     *       "permissions": null,
                     *       "networks": null,
                     *       "ceilings": null,
                     *       "created_by": {
                     *         "type": "administrator",
                     *         "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21"
                     *       },
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "expires_at": null,
                     *       "last_used_at": null,
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["IssuedKeyReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequiredKeyInGrace"];
            404: components["responses"]["Error404AccountNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostAgentAccountTooManyKeys"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    searchAgents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description An IP address or a network. */
                address?: string;
                /** @description Part of name, purpose or contact. */
                text?: string;
                /** @description The last four characters of the token. */
                last_four?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                     *       "agents": [
                     *         {
                     *           "key_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *           "account_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *           "name": "Scout",
                     *           "purpose": null,
                     *           "contact": null,
                     *           "client_address": "192.0.2.7",
                     *           "last_four": "x7Qd",
                     *           "status": "active",
                     *           "registered_at": "2026-11-21T12:00:00.000Z",
                     *           "expires_at": "2026-12-21T12:00:00.000Z",
                     *           "last_used_at": null,
                     *           "revoked_at": null,
                     *           "claimed_by": null,
                     *           "claimed_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeAgents: {
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
                 *       "address": "192.0.2.0/24"
                 *     }
                 */
                "application/json": components["schemas"]["RevokeAgentsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedAgentsReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
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
    getPool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                     *       "date": "2026-11-21",
                     *       "capacity": 10000,
                     *       "configured_capacity": 10000,
                     *       "used": 3,
                     *       "remaining": 9997,
                     *       "resets_at": "2026-11-22T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PoolReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changePool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "capacity": 10000
                 *     }
                 */
                "application/json": components["schemas"]["CapacityRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description `csv` and `ndjson` are files of all entries, without pages. */
                format?: "json" | "csv" | "ndjson";
                account_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                     *       "entries": [
                     *         {
                     *           "id": 150323855360001,
                     *           "at": "2026-11-21T12:00:00.000Z",
                     *           "actor": {
                     *             "key_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *             "name": "tester"
                     *           },
                     *           "from": "192.0.2.7",
                     *           "act": "account.suspend",
                     *           "key_id": null,
                     *           "details": {
                     *             "reason": "As agreed by phone"
                     *           },
                     *           "account_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *           "mode": null
                     *         }
                     *       ],
                     *       "next_cursor": "cm93IDE"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminAuditPageReply"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWatchedBlacklists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedListsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testBlacklist: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedListReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404BlacklistNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    turnBlacklistOff: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedListReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404BlacklistNotFound"];
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
    turnBlacklistOn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedListReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404BlacklistNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    drainSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of the source. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressSourceReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SourceNotFound"];
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
    pauseSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of the source. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressSourceReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SourceNotFound"];
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
    resumeSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of the source. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressSourceReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SourceNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of the source. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EgressSourceReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SourceNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAllErasures: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                account_id?: string;
                status?: "working" | "waiting" | "done" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkErasurePageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkersReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMailLists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailListsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAdminKeys: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createAdminKey: {
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
                 *       "name": "alice"
                 *     }
                 */
                "application/json": components["schemas"]["CreateAdminKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKeyReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequiredKeyInGrace"];
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
    getAnyKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404KeyNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeAnyKey: {
        parameters: {
            query?: {
                /** @description Whether those before and after it by rotation are revoked too, and all keys that any of these has made: all of them, or none. */
                descendants?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
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
            403: components["responses"]["Error403AdminRequiredKeyInGraceKeyLastsLonger"];
            404: components["responses"]["Error404KeyNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeAnyKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "networks": [
                 *         "192.0.2.0/24"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeAnyKeyRequest"] | null;
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequiredKeyInGraceKeyLastsLonger"];
            404: components["responses"]["Error404KeyNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409KeyAlreadyRotated"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateAnyKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grace_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateKeyRequest"] | null;
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKeyReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequiredKeyInGraceKeyLastsLonger"];
            404: components["responses"]["Error404KeyNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostAgentAccountKeyAlreadyRotatedKeyAlreadyExpired"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAllMonitors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllMonitorsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    pauseMonitor: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyMonitorReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
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
    resumeMonitor: {
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
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyMonitorReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostMonitorNotPaused"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOperators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    pauseOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of the operator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "They asked us to stop until Monday",
                 *       "until": "2027-01-31T12:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["PauseOperatorRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404OperatorNotFound"];
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
    resumeOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name of the operator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404OperatorNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOptOuts: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOutPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    addOptOut: {
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
                 *       "kind": "domain",
                 *       "name": "example.com",
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["OptOutRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOutReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
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
    removeOptOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOutReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404OptOutNotFound"];
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
    search: {
        parameters: {
            query: {
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    lookUpKey: {
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
                 *       "token": "ms_live_000000000000000000000000000000002E5vyG"
                 *     }
                 */
                "application/json": components["schemas"]["LookupRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404KeyNotFound"];
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
    listSeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedMailboxesReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    addSeed: {
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
                 *       "provider": "gmail",
                 *       "address": "seed@example.com",
                 *       "password": "an app password"
                 *     }
                 */
                "application/json": components["schemas"]["SeedRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedMailboxReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostSeedExistsTooManySeeds"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testSeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedTestReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SeedNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostSeedBusy"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateSeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "another app password"
                 *     }
                 */
                "application/json": components["schemas"]["SeedCredentialsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedMailboxReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SeedNotFound"];
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
    turnSeedOff: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "As agreed by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedMailboxReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SeedNotFound"];
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
    turnSeedOn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedMailboxReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SeedNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listGlobalSuppressions: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    suppressForAll: {
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
                 *       "email": "jane@example.com",
                 *       "reason": "Asked by letter"
                 *     }
                 */
                "application/json": components["schemas"]["SuppressRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressedReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
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
    unsuppressForAll: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The address, or its SHA-256 in hexadecimal, which leaves no address in logs. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Taken off the list. */
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
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404SuppressionNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAllBatches: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                account_id?: string;
                status?: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
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
                     *       "batches": [
                     *         {
                     *           "id": 150323855360001,
                     *           "account_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *           "key_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *           "status": "completed",
                     *           "test": true,
                     *           "total_emails": 2,
                     *           "unique_emails": 2,
                     *           "counts": {
                     *             "valid": 1,
                     *             "invalid": 1,
                     *             "risky": 0,
                     *             "unknown": 0
                     *           },
                     *           "credits_reserved": 0,
                     *           "credits_charged": 0,
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "started_at": "2026-11-21T12:00:00.000Z",
                     *           "completed_at": "2026-11-21T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WorkBatchPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAnyBatch: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkBatchReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retryBatch: {
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
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkBatchReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402CreditsInsufficient"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404BatchNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostBatchNotFailed"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAllDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                account_id?: string;
                webhook_id?: string;
                status?: "pending" | "succeeded" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkDeliveryPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkDeliveryReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403AdminRequired"];
            404: components["responses"]["Error404DeliveryNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostEndpointDisabled"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
