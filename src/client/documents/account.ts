export interface paths {
    "/api/v1/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an agent's key under the account */
        post: operations["claimAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of the account, newest first */
        get: operations["listKeys"];
        put?: never;
        /** Create a live or test key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key for ever, alone or with all keys that it made; not the last live one */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /** Change the name, the permissions, the networks or the ceilings of a key */
        patch: operations["changeKey"];
        trace?: never;
    };
    "/api/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a key by a new one; the old one keeps working for its grace */
        post: operations["rotateKey"];
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
    "/api/v1/credits/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change of the balance, the newest first */
        get: operations["listCreditHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was verified and charged, day by day or otherwise */
        get: operations["getUsage"];
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
    "/api/v1/verification-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether verdicts may be given again */
        get: operations["getVerificationSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Choose whether verdicts are kept for reuse */
        patch: operations["changeVerificationSettings"];
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the account's keys changed, newest first; a test key sees what test keys did, a live key the rest */
        get: operations["listActs"];
        put?: never;
        post?: never;
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
    "/api/v1/batch-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What batches have that do not say it themselves */
        get: operations["getBatchSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Choose how long batches are kept, and retried */
        patch: operations["changeBatchSettings"];
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
    "/api/v1/finder/batch/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many people of a finished batch were found, by reason, domain and mail operator */
        get: operations["getPeopleSummary"];
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
    "/api/v1/verify/batch/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The results of a batch by a signed link, without a key */
        get: operations["downloadResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/finder/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The finder's batches of the account, newest first */
        get: operations["listPeopleBatches"];
        put?: never;
        /** Find many people */
        post: operations["submitPeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/finder/batch/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a batch of the finder is */
        get: operations["getPeopleBatch"];
        put?: never;
        post?: never;
        /** Cancel a batch that runs, or delete a held or finished one */
        delete: operations["removePeopleBatch"];
        options?: never;
        head?: never;
        /** Choose how long a batch of the finder is kept */
        patch: operations["keepPeopleBatch"];
        trace?: never;
    };
    "/api/v1/finder/batch/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reserve the credits of a held batch and begin it */
        post: operations["startPeopleBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/finder/batch/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who was found, in the order of submission */
        get: operations["getPeopleResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists that verify themselves again */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists, newest first */
        get: operations["listLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list with its first rows */
        get: operations["getList"];
        put?: never;
        post?: never;
        /** Delete a list and its batch with every address */
        delete: operations["deleteList"];
        options?: never;
        head?: never;
        /** Rename a list */
        patch: operations["renameList"];
        trace?: never;
    };
    "/api/v1/lists/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rows of a list as a file */
        get: operations["downloadList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The schedule of a list, and its last run */
        get: operations["getListSchedule"];
        put?: never;
        /** Verify a list again and again */
        post: operations["scheduleList"];
        /** Verify a list no more */
        delete: operations["unscheduleList"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Addresses whose verdict the newest run has changed */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The endpoints of the account, newest first */
        get: operations["listWebhooks"];
        put?: never;
        /** Register an endpoint; its secret is shown once */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An endpoint */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete an endpoint with its deliveries */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Change URL, events or results of an endpoint, disable or enable it */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new secret; for 24 hours the old one signs too */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a webhook.test event */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/samples/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an example of an event, marked as a sample */
        post: operations["sampleWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries to an endpoint with every attempt, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send again what happened in a time */
        post: operations["redeliverRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A delivery with every attempt */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send it again, with the same webhook-id */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/finder/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find and verify a person's address */
        post: operations["findEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The suppression list, newest first */
        get: operations["listSuppressions"];
        put?: never;
        /** Keep people who asked for it from being found */
        post: operations["suppress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether an address is on the list */
        get: operations["getSuppression"];
        put?: never;
        post?: never;
        /** Take an address off the list */
        delete: operations["unsuppress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppression-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the list does beside hiding from the finder */
        get: operations["getSuppressionSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Choose whether verifications report it */
        patch: operations["changeSuppressionSettings"];
        trace?: never;
    };
    "/api/v1/blacklists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The block lists, and whether each works */
        get: operations["listBlacklists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blacklists/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether block lists have addresses or domains */
        post: operations["checkBlacklists"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blacklists/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks of the last 30 days, newest first */
        get: operations["listBlacklistChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blacklists/checks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One check, as it was answered */
        get: operations["getBlacklistCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a domain publishes about its mail, and what to publish instead */
        post: operations["checkDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks of domains in the last 30 days, newest first */
        get: operations["listDomainChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains/checks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One check of a domain, as it was answered */
        get: operations["getDomainCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Monitors, newest first */
        get: operations["listMonitors"];
        put?: never;
        /** Look at a domain or an address again and again */
        post: operations["createMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A monitor, and how what it watches is */
        get: operations["getMonitor"];
        put?: never;
        post?: never;
        /** Delete a monitor with its history */
        delete: operations["deleteMonitor"];
        options?: never;
        head?: never;
        /** Change what a monitor watches, how often, or whether it runs */
        patch: operations["changeMonitor"];
        trace?: never;
    };
    "/api/v1/monitors/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a monitor now
         * @description Once a minute, for a credit. It takes some seconds.
         */
        post: operations["runMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs of a monitor, newest first */
        get: operations["listMonitorRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A run with facts and findings, as they were */
        get: operations["getMonitorRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What differs between two runs */
        get: operations["diffMonitorRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is wrong, or was, the latest first */
        get: operations["listMonitorFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The timeline of a monitor, newest first */
        get: operations["listMonitorEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/lists/{list}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Mute all that a block list says until a date */
        patch: operations["muteMonitorList"];
        trace?: never;
    };
    "/api/v1/monitors/{id}/findings/{finding_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Mute a finding until a date, or write a note to it */
        patch: operations["changeMonitorFinding"];
        trace?: never;
    };
    "/api/v1/placement/seeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mail operators where placement can be measured now */
        get: operations["listPlacementSeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/placement/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The report of a message, without sending it */
        post: operations["analyzeMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/placement/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Placement tests of the last 90 days, newest first */
        get: operations["listPlacementTests"];
        put?: never;
        /** An address to send a mail to, and what becomes of it */
        post: operations["createPlacementTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/placement/tests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A placement test as it stands, with its report */
        get: operations["getPlacementTest"];
        put?: never;
        post?: never;
        /** Cancel a test that has not ended, or delete one that has, with its message */
        delete: operations["deletePlacementTest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/placement/tests/{id}/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The mail as it came, for 7 days */
        get: operations["getPlacementMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/placement/tests/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What differs between two placement tests */
        get: operations["comparePlacementTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/verify-ownership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look for the record that proves whose a domain is, which then has an address for its reports */
        post: operations["verifyMonitorOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Aggregate reports about a domain, newest first */
        get: operations["listDmarcReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who sent in a domain's name, and how it fared */
        get: operations["listDmarcSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/tls-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reports of senders on how they could encrypt mail to a domain, newest first */
        get: operations["listTlsReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/tls-failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why senders could not encrypt mail to a domain, by mail host */
        get: operations["listTlsFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/reports/unreadable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Emails to the address for reports that could not be read or kept, and why, newest first */
        get: operations["listUnreadableReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Erasures, newest first
         * @description The receipts of all erasures of the account, in the mode of the key. None holds an address.
         */
        get: operations["listErasures"];
        put?: never;
        /**
         * Take an address out of everything that the account has of it
         * @description It takes seconds; a batch that runs is looked through when it has ended. The receipt tells how far it is.
         */
        post: operations["eraseAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far an erasure is, and what it has erased */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All that the account has in the mode of the key, as one file */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try an address in the simulated mail world; no key is needed */
        post: operations["tryEmail"];
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
        AlternativeBody: {
            email: string;
            /** @example {first}.{last} */
            pattern: string;
            /** @description How likely it is the person's address. */
            confidence: number;
        };
        AnalysisReply: {
            /** @description False: our resolver did not answer, or is not believed. What depends on it is unknown, and the report costs nothing. */
            dns_answered: boolean;
            /** @description Null: nobody has said from where it came. */
            transport: components["schemas"]["TransportReply"] | null;
            authentication: components["schemas"]["AuthenticationReply"] | null;
            headers: components["schemas"]["HeadersReply"] | null;
            unsubscribe: components["schemas"]["UnsubscribeReply"] | null;
            content: components["schemas"]["ContentReply"] | null;
            /** @description Block lists on the sending address, the domains of From and of signatures, and those of links. */
            reputation: components["schemas"]["TargetResultReply"][];
            /** @description Null: the operator has none. */
            spam_filter: components["schemas"]["SpamFilterReply"] | null;
            bulk_sender_rules: components["schemas"]["BulkSenderRuleReply"][];
            /** @description The worst first. */
            findings: components["schemas"]["ReportFindingReply"][];
            /** @enum {string} */
            status: "completed";
            credits_charged: number;
            latency_ms: number;
            request_id: string;
        };
        AnswerReply: {
            /** @enum {string} */
            verdict: "valid" | "invalid" | "risky" | "unknown";
            reason: string;
        };
        ArcReply: {
            /** @example none */
            result: string;
            instances: number;
        };
        AttachmentReply: {
            media_type: string;
            size_bytes: number;
            /** @example .pdf */
            extension: string | null;
            /** @description Receivers refuse what can run. */
            risky: boolean;
        };
        AttemptReply: {
            number: number;
            /** Format: date-time */
            at: string;
            /** @description Null when no answer came. */
            status: number | null;
            /**
             * @description Why none came.
             * @example timeout
             */
            error: string | null;
            latency_ms: number;
            /** @description The first 1 KiB of the answer. */
            reply: string;
            /** @description Null when none could be made. */
            request: components["schemas"]["AttemptRequestReply"] | null;
        };
        AttemptRequestReply: {
            /**
             * @description As they were sent, with the signature masked.
             * @example {
             *       "content-type": "application/json",
             *       "webhook-id": "msg_5f0c…",
             *       "webhook-signature": "v1,…"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /** @description Length of the body. */
            body_bytes: number;
            /** @description Its first 4,096 characters, the signature of a link masked; null in listings, and for a body with results that is no longer kept as it was sent. */
            body: string | null;
        };
        AuditActorReply: {
            /**
             * Format: uuid
             * @description Null: the service itself acted, or an administrator.
             */
            key_id: string | null;
            /** @description Of the key, as it was called then; `mailsonde` for the service, `administrator` for an administrator. */
            name: string;
        };
        AuditEntryReply: {
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            at: string;
            /** @description Who acted. */
            actor: components["schemas"]["AuditActorReply"];
            /**
             * @description The client address; `mailsonde` for the service, `administrator` for an administrator.
             * @example 192.0.2.7
             */
            from: string;
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
        };
        AuditPageReply: {
            entries: components["schemas"]["AuditEntryReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        AuthenticationReply: {
            /** @description Null: nobody has said from where it came. */
            spf: components["schemas"]["SpfReply"] | null;
            dkim: components["schemas"]["DkimReply"][];
            dmarc: components["schemas"]["DmarcReply"];
            arc: components["schemas"]["ArcReply"];
        };
        BalanceReply: {
            /** @example pro */
            plan: string;
            /** @description What may be spent now. The sum of the history. */
            remaining: number;
            /** @description Held for work that still runs; not in `remaining`. */
            reserved: number;
            /** @description Charged since the account was made. */
            used_total: number;
            /** @description What the plan gave once, when the account was made. */
            free_granted: number;
            /** @description Whether `remaining` is less than what the plan calls low. */
            low: boolean;
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
        BatchRequest: {
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
            /** Format: uri */
            webhook_url?: string | null;
        };
        BatchSettingsReply: {
            /** @description Days for which batches are kept that do not say it themselves. */
            retention_days: number;
            /** @description The most days that a batch can be kept. */
            max_retention_days: number;
            /** @description For how long soft answers of batches are tried again. */
            retry_window_seconds: number;
        };
        BatchSettingsRequest: {
            /** @description Null: as long as the plan lets them be kept. */
            retention_days?: number | null;
            /** @description Null: as the installation says. */
            retry_window_seconds?: number | null;
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
        BatchTakenReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            total_emails: number;
            /** @description Of a held batch. */
            quote?: components["schemas"]["QuoteReply"];
            /** @description Without repeated addresses: what is verified and charged. */
            unique_emails: number;
            name: string | null;
            /** @description Of `webhook_url`; null without one. */
            webhook: components["schemas"]["BatchWebhookReply"] | null;
        };
        BatchWebhookReply: {
            /**
             * Format: uuid
             * @description Of the endpoint, as under `/api/v1/webhooks`.
             */
            id: string;
            /** Format: uri */
            url: string;
            /**
             * @description Signs what is sent to the URL. Shown when the URL is first named; later batches have the same one.
             * @example whsec_…
             */
            secret: string | null;
        };
        BeforeAfterReply: {
            /** @example dmarc */
            what: string;
            before: string | null;
            after: string | null;
        };
        BlacklistCheckPageReply: {
            checks: components["schemas"]["KeptCheckReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        BlacklistCheckReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "completed";
            /**
             * @description The worst listing of all targets.
             * @enum {string|null}
             */
            worst: "info" | "low" | "medium" | "high" | "critical" | null;
            results: components["schemas"]["TargetResultReply"][];
            credits_charged: number;
            latency_ms: number;
            /** Format: date-time */
            checked_at: string;
            request_id: string;
        };
        BlacklistCheckRequest: {
            /** @description IPv4 and IPv6 addresses and domains. */
            targets: string[];
            /** @description Only these lists, by their ids. */
            lists?: string[] | null;
            /** @description Milliseconds; lists that have not answered by then are `no_answer`. Default: 10000. */
            timeout_ms?: number | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
        };
        BlacklistReply: {
            /** @example psbl */
            id: string;
            name: string;
            kinds: ("ipv4" | "ipv6" | "domain")[];
            /**
             * @description The worst that it can say.
             * @enum {string}
             */
            severity: "info" | "low" | "medium" | "high" | "critical";
            /**
             * @description What its test points have shown; `suspect`: they are right, and many watched targets turned up on it at once; `untested`: nobody has asked it yet.
             * @enum {string}
             */
            state: "healthy" | "refused" | "unhealthy" | "silent" | "suspect" | "untested" | "not_configured";
            /** Format: date-time */
            since: string | null;
            /** @description Why it is not healthy, or not asked. */
            why: string | null;
            /** Format: date-time */
            tested_at: string | null;
            /** @description Who may ask it. */
            terms: string;
            terms_url: string | null;
            /**
             * Format: date
             * @description The day on which the terms were read.
             */
            terms_read_at: string | null;
            /** @description `{target}` stands for the address or domain. */
            lookup_url: string;
            delist_url: string | null;
        };
        BlacklistsReply: {
            blacklists: components["schemas"]["BlacklistReply"][];
        };
        BulkSenderRuleReply: {
            /** @example one_click_unsubscribe */
            rule: string;
            /** @enum {string} */
            result: "pass" | "fail" | "cannot_be_seen";
            operators: ("gmail" | "yahoo" | "outlook")[];
            explanation: string;
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
        ChangeKeyRequest: {
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
        ChangeMonitorRequest: {
            /** @description Your own name for it. */
            name?: string | null;
            /** @description From one run to the next, at least what the plan allows; 60 when left out, or the plan's shortest. */
            interval_minutes?: number | null;
            /** @description Only these; all when null. An address is looked for on block lists only. */
            checks?: ("mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi" | "blacklists")[] | null;
            /** @description Selectors of its DKIM keys; without one those that mail services use are looked for once a day. */
            dkim_selectors?: string[] | null;
            /** @description IPv4 and IPv6 addresses that send its mail. */
            sending_addresses?: string[] | null;
            /**
             * @description Findings below it are shown and never told. Default: "warning".
             * @enum {string|null}
             */
            alert_from?: "info" | "warning" | "critical" | null;
            /** @description Whether what the first run finds is told; false when left out. */
            notify_first?: boolean | null;
            /** @description False: it does not run; true when left out. */
            enabled?: boolean | null;
        };
        ChangeWebhookRequest: {
            url?: string | null;
            /** @description May be empty only for an endpoint that a batch's `webhook_url` created; it receives the events of those batches. */
            events?: ("batch.completed" | "batch.failed" | "batch.cancelled" | "list.changed" | "verification.corrected" | "credits.low" | "monitor.changed" | "monitor.stalled" | "blacklist.listed" | "blacklist.delisted" | "placement.completed" | "placement.expired" | "dmarc.source_appeared")[] | null;
            /** @description So many rows of results a body carries at most; it has `results_url` always. */
            include_results?: number | null;
            /** @description Disabled, it gets nothing; what happens meanwhile waits for it. */
            enabled?: boolean | null;
        };
        ChangedListingReply: {
            list: string;
            target: string;
            /** @description Null: it was not asked. */
            before: string | null;
            after: string | null;
        };
        ChangedRecordReply: {
            /** @example example.com. */
            name: string;
            /** @enum {string} */
            type: "MX" | "NS" | "PTR" | "TXT" | "TLSA";
            before: string[];
            after: string[];
        };
        ChecksBody: {
            /** @enum {string} */
            syntax: "pass" | "fail" | "unknown" | "skipped";
            /** @enum {string} */
            mx: "pass" | "fail" | "unknown" | "skipped";
            /** @enum {string} */
            smtp: "pass" | "fail" | "unknown" | "skipped";
            catch_all: boolean;
            disposable: boolean;
            role: boolean;
            spam_trap: boolean;
            free: boolean;
        };
        ClaimAgentRequest: {
            /** @description Spending limits in the form that replies use. Use this or the fields `credits_per_day`, `credits_per_month`, `credits_total`, not both. null removes all limits. */
            ceilings?: components["schemas"]["CeilingsRequest"] | null;
            /** @description The most credits that it spends in a UTC day. */
            credits_per_day?: number | null;
            /** @description The most credits that it spends in a UTC month. */
            credits_per_month?: number | null;
            /** @description The most credits that it spends in all. */
            credits_total?: number | null;
            /** @description The `claim_token` that the agent got with its key. */
            claim_token?: string | null;
            /** @description In its place: the key of the agent itself. */
            agent_key?: string | null;
            /** @description A name for the key; the one that the agent gave itself when left out. */
            name?: string | null;
            /**
             * Format: date-time
             * @description When the key expires from now on; when left out, when the key that claims it does.
             */
            expires_at?: string | null;
        };
        ClaimedKeyReply: {
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
            /** Format: date-time */
            claimed_at: string;
            /** Format: date-time */
            registered_at: string;
            /** @description What the agent said that it verifies addresses for. */
            purpose: string | null;
            /** @description How the agent said that its operator is reached. */
            contact: string | null;
        };
        ContentReply: {
            size_bytes: number;
            text_bytes: number;
            html_bytes: number;
            has_text: boolean;
            has_html: boolean;
            visible_characters: number;
            images: number;
            images_without_alt: number;
            remote_images: number;
            /** @description Elements that no mail program runs. */
            active_elements: string[];
            /** @description Nobody follows a link; only its domain is looked up. */
            links: components["schemas"]["LinksReply"];
            attachments: components["schemas"]["AttachmentReply"][];
            attachment_count: number;
        };
        CoverageReply: {
            /** @description Lists that have entries of this kind of target. */
            lists: number;
            /** @description Those of them that have answered. */
            answered: number;
            /** @description A list that matters was not asked, or has not answered. */
            partial: boolean;
            /**
             * @description Lists that matter and have not answered.
             * @example [
             *       "spamhaus-zen"
             *     ]
             */
            missing: string[];
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
        CreateMonitorRequest: {
            /** @description Your own name for it. */
            name?: string | null;
            /** @description From one run to the next, at least what the plan allows; 60 when left out, or the plan's shortest. */
            interval_minutes?: number | null;
            /** @description Only these; all when null. An address is looked for on block lists only. */
            checks?: ("mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi" | "blacklists")[] | null;
            /** @description Selectors of its DKIM keys; without one those that mail services use are looked for once a day. */
            dkim_selectors?: string[] | null;
            /** @description IPv4 and IPv6 addresses that send its mail. */
            sending_addresses?: string[] | null;
            /**
             * @description Findings below it are shown and never told. Default: "warning".
             * @enum {string|null}
             */
            alert_from?: "info" | "warning" | "critical" | null;
            /** @description Whether what the first run finds is told; false when left out. */
            notify_first?: boolean | null;
            /** @description False: it does not run; true when left out. */
            enabled?: boolean | null;
            /** @enum {string} */
            kind: "domain" | "address";
            /** @example example.com */
            target: string;
        };
        CreateWebhookRequest: {
            /** @example https://example.com/mailsonde */
            url: string;
            /** @description All when left out. */
            events?: ("batch.completed" | "batch.failed" | "batch.cancelled" | "list.changed" | "verification.corrected" | "credits.low" | "monitor.changed" | "monitor.stalled" | "blacklist.listed" | "blacklist.delisted" | "placement.completed" | "placement.expired" | "dmarc.source_appeared")[] | null;
            /** @description So many rows of results a body carries at most; it has `results_url` always. Default: 1000. */
            include_results?: number | null;
            /**
             * @description The mode of the key that registers it, which it has anyway: it is told of the work of such keys only.
             * @enum {string|null}
             */
            mode?: "live" | "test" | null;
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
        DeliveryPageReply: {
            deliveries: components["schemas"]["DeliveryReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        DeliveryReply: {
            /** Format: uuid */
            id: string;
            /**
             * @description The `webhook-id` of every attempt.
             * @example msg_5f0c…
             */
            message_id: string;
            /** Format: uuid */
            webhook_id: string;
            /** @enum {string} */
            type: "batch.completed" | "batch.failed" | "batch.cancelled" | "list.changed" | "verification.corrected" | "credits.low" | "monitor.changed" | "monitor.stalled" | "blacklist.listed" | "blacklist.delisted" | "placement.completed" | "placement.expired" | "dmarc.source_appeared" | "webhook.test";
            /** @description An example that was asked for: nothing has happened. */
            sample: boolean;
            batch_id: number | null;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Null when none is to come; a disabled endpoint gets none until it is enabled.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            attempts: components["schemas"]["AttemptReply"][];
        };
        DifferingLinkReply: {
            shown: string;
            host: string;
        };
        DkimReply: {
            /** @example pass */
            result: string;
            domain: string | null;
            selector: string | null;
            /** @example rsa-sha256 */
            algorithm: string | null;
            key_bits: number | null;
            aligned: boolean;
            signed_headers: string[];
            covers_whole_body: boolean;
            testing: boolean;
            comment: string | null;
        };
        DmarcReply: {
            /** @example pass */
            result: string;
            domain: string | null;
            policy: string | null;
            policy_domain: string | null;
            record: string | null;
            aligned_by: ("spf" | "dkim")[];
        };
        DmarcReportPageReply: {
            reports: components["schemas"]["DmarcReportReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        DmarcReportReply: {
            /** Format: int64 */
            id: number;
            /** @description The domain whose record was found: that of the monitor, or one below it. */
            domain: string;
            /**
             * @description Who reports, in its own words.
             * @example receiver.example
             */
            organization: string;
            /** @description As its reporter numbers it. */
            report_id: string;
            /** @enum {string} */
            form: "rfc7489" | "rfc9990";
            generator: string | null;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            policy: components["schemas"]["PublishedPolicyReply"];
            /** Format: int64 */
            messages: number;
            /**
             * Format: int64
             * @description Of which DKIM or SPF passed for an aligned domain.
             */
            passed: number;
            /**
             * Format: int64
             * @description Records that could not be read, or were about another domain.
             */
            records_left_out: number;
            /** Format: date-time */
            received_at: string;
        };
        DnsFixReply: {
            /**
             * @description `file`: what a web server gives, at the URL `name`.
             * @enum {string}
             */
            kind: "dns" | "file";
            /** @enum {string} */
            action: "add" | "replace" | "remove";
            /** @example _dmarc.example.com. */
            name: string;
            /** @enum {string} */
            type: "TXT" | "MX" | "PTR" | "TLSA" | "file";
            /** @description What stands there now, a line for each record. */
            current: string | null;
            /** @description The record to publish; `null`: nothing takes its place. */
            value: string | null;
            why: string;
            /**
             * @description `certain`: it was judged, and nothing gets worse by it. `needs_you`: it has a value that only you know (`<…>`), a choice that only you may make, or `why` says what else it does.
             * @enum {string}
             */
            confidence: "certain" | "needs_you";
        };
        DomainCheckPageReply: {
            checks: components["schemas"]["KeptDomainCheckReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        DomainCheckReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "completed";
            domain: string;
            /**
             * @description The worst finding; `unknown`: nothing critical was found, and the DNS left a question open.
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown";
            counts: components["schemas"]["FindingCountsReply"];
            /** @description The worst first. */
            findings: components["schemas"]["DomainFindingReply"][];
            /** @description What was found. */
            records: components["schemas"]["FoundRecordReply"][];
            /** @description DNS look-ups that its SPF record costs; receivers make 10. */
            spf_lookups: number;
            /** @description Its terms that ask the DNS, each before those of the record that it names: a tree by `depth`. */
            spf_terms: components["schemas"]["SpfTermReply"][];
            /** @enum {string} */
            dnssec: "secure" | "insecure" | "bogus" | "unknown";
            /** @description How each mail host that was looked at encrypts. */
            starttls: components["schemas"]["EncryptionReply"][];
            /** @description `null`: nobody was asked. */
            registration: components["schemas"]["DomainRegistrationReply"] | null;
            /** @description `null`: there is no record, or nobody asked for it. */
            bimi: components["schemas"]["MarkReply"] | null;
            /** @description Names for which the DNS did not answer, and URLs of others that did not: nothing is said of them. */
            unanswered: string[];
            /** @description Areas in which the DNS left a question open: they may be worse than the findings say. */
            unknown_areas: ("mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi")[];
            credits_charged: number;
            latency_ms: number;
            /** Format: date-time */
            checked_at: string;
            request_id: string;
        };
        DomainCheckRequest: {
            /** @example example.com */
            domain: string;
            /** @description Selectors of its DKIM keys; without one those that mail services use are looked for. */
            dkim_selectors?: string[] | null;
            /** @description IPv4 and IPv6 addresses that send its mail. */
            sending_addresses?: string[] | null;
            /** @description Only findings and records of these; mail hosts, web servers and registries are asked only for these, and the DNS whatever they are. */
            checks?: ("mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi")[] | null;
            /** @description Milliseconds; what nobody has answered by then is `unanswered`, and no finding. Default: 15000. */
            timeout_ms?: number | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
        };
        DomainCountReply: {
            /** @example example.com */
            domain: string;
            /** @description Repeated addresses as often as they were sent. */
            rows: number;
            counts: components["schemas"]["VerdictCounts"];
        };
        DomainFindingReply: {
            /**
             * @description Stable.
             * @example dmarc_missing
             */
            code: string;
            /** @enum {string} */
            area: "mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi";
            /** @enum {string} */
            severity: "critical" | "warning" | "info";
            /** @description The domain, a mail host, an address or a selector. */
            subject: string;
            explanation: string;
            /** @description What it was seen by. */
            evidence: {
                [key: string]: unknown;
            };
            fix: components["schemas"]["DnsFixReply"] | null;
            /** @example RFC 9989 */
            rfc: string | null;
        };
        DomainRegistrationReply: {
            /**
             * @description `unknown`: the registry has not said, which is no finding.
             * @enum {string}
             */
            status: "found" | "unknown";
            /** @description Of `unknown` one of `no_rdap` (the registry tells nobody), `not_known`, `rate_limited`, `no_answer` and `unreadable`. */
            why: string | null;
            /** @description The domain that is registered: this one, or one above it. */
            domain: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * @example [
             *       "client transfer prohibited"
             *     ]
             */
            statuses: string[];
            registrar: string | null;
            name_servers: string[];
        };
        EncryptionReply: {
            /** @example mx1.example.com */
            host: string;
            /**
             * @description `unknown`: it could not be looked at, which is no finding.
             * @enum {string}
             */
            outcome: "encrypted" | "not_offered" | "failed" | "unknown";
            /** @description What failed; of `unknown` one of `no_answer`, `port25_blocked`, `refused_us`, `not_public` and `left_alone`. */
            why: string | null;
            /** @example TLSv1.3 */
            protocol: string | null;
            /** @description The names that its certificate is for. */
            names: string[];
            issuer: string | null;
            /**
             * Format: date-time
             * @description The end of its certificate.
             */
            expires_at: string | null;
            /** @description Whether an authority that this service trusts vouches for its certificate. */
            is_trusted: boolean | null;
        };
        EraseRequest: {
            /**
             * Format: email
             * @description In any spelling; with another `+tag` it is another address.
             */
            email: string;
            /** @description The address goes onto the suppression list, which has its hash alone. Otherwise it leaves that list too; one with a `+tag` takes nothing off it, because the list does not know tags. Default: false. */
            suppress?: boolean | null;
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
        ErasurePageReply: {
            erasures: components["schemas"]["ErasureReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        ErasureReply: {
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
            code: "full_account_required" | "live_key_required" | "permission_missing" | "address_not_allowed" | "ceiling_not_allowed" | "key_in_grace" | "key_lasts_longer" | "plan_limit_reached" | "account_suspended";
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
            code: "not_found" | "batch_not_found" | "list_not_found" | "schedule_not_found" | "claim_not_found" | "webhook_not_found" | "delivery_not_found" | "key_not_found" | "erasure_not_found" | "check_not_found" | "monitor_not_found" | "run_not_found" | "finding_not_found" | "placement_test_not_found" | "suppression_not_found" | "blacklist_not_found";
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
            code: "monitor_exists" | "monitor_paused" | "monitor_paused_by_operator" | "monitor_busy" | "monitor_without_domain" | "batch_not_finished" | "idempotency_in_progress" | "idempotency_reply_lost" | "agent_account" | "too_many_keys" | "already_claimed" | "key_not_claimable" | "key_already_rotated" | "key_already_expired" | "last_live_key" | "endpoint_exists" | "too_many_endpoints" | "endpoint_disabled" | "too_many_erasures" | "export_in_progress" | "batch_not_held" | "too_many_schedules" | "too_many_held";
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
            code: "invalid_input" | "too_many_emails" | "public_mail_domain" | "idempotency_key_reused";
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
            code: "rate_limited" | "request_in_flight" | "too_many_streams" | "daily_capacity_exhausted";
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
            code: "placement_unavailable" | "unavailable";
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
        EvidenceBody: {
            /** @enum {string} */
            stage: "syntax" | "dns" | "connect" | "banner" | "ehlo" | "starttls" | "mail" | "rcpt";
            mx_host: string | null;
            mx_address: string | null;
            reply_code: number | null;
            /** @example 5.1.1 */
            enhanced_code: string | null;
            text: string | null;
            from_cache: boolean;
            /**
             * @description What settled a refusal that gives no reason; null when the reply says by itself what it means.
             * @enum {string|null}
             */
            witness: "accepted_name" | "reply_text" | "postmaster" | "made_up_name" | "unrelated_domains" | null;
            /**
             * @description Which of the sending addresses of this service asked; null when no mail host was asked for it.
             * @example default
             */
            source: string | null;
        };
        FieldErrorBody: {
            /** @example emails[3] */
            field: string;
            error: string;
        };
        FindEmailRequest: {
            /**
             * @description Together with `last_name`.
             * @example Jane
             */
            first_name?: string | null;
            /** @example Doe */
            last_name?: string | null;
            /**
             * @description Instead of the two, in any script: titles, suffixes and the order of names are understood.
             * @example Jane Doe
             */
            full_name?: string | null;
            /**
             * @description Where the person works; a web address or an email address is reduced to its domain.
             * @example example.com
             */
            domain: string;
            /** @description Milliseconds; when they run out the answer is the best guess so far, as `unknown`. Default: 30000. */
            timeout_ms?: number | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
        };
        FindingCountsReply: {
            critical: number;
            warning: number;
            info: number;
        };
        FindingEvidenceBody: {
            /** @description In the order asked, each with what the server said. */
            tried: components["schemas"]["TriedBody"][];
            /** @description Addresses of the domain whose pattern was known. */
            known_addresses: number;
            /** @description Those of them that have `pattern`. */
            known_of_pattern: number;
        };
        FindingReply: {
            /** @description Null when nobody was found. */
            email: string | null;
            /**
             * @description `unknown`: the address is a guess that nobody could confirm.
             * @enum {string}
             */
            verdict: "valid" | "invalid" | "risky" | "unknown";
            /** @description How likely the address is the person's; without one, how sure that is. */
            confidence: number;
            /** @example {first}.{last} */
            pattern: string | null;
            candidates_tried: number;
            alternatives: components["schemas"]["AlternativeBody"][];
            checks: components["schemas"]["ChecksBody"];
            /** @description 1 when an address was found, `valid` or `risky`; else 0. */
            credits_charged: number;
            latency_ms: number;
            /** @enum {string} */
            reason: "invalid_syntax" | "domain_not_found" | "no_mail_server" | "null_mx" | "unroutable_mail_server" | "mailbox_not_found" | "mailbox_disabled" | "domain_not_served" | "spam_trap" | "disposable" | "catch_all" | "mailbox_full" | "mailbox_restricted" | "role_account" | "ip_blocked" | "sender_rejected" | "policy_rejected" | "rate_limited" | "enumeration_suspected" | "greylisted" | "temporary_failure" | "smtp_timeout" | "smtp_unreachable" | "port25_blocked" | "smtp_protocol_error" | "smtputf8_unsupported" | "dns_error" | "provider_hides_mailboxes" | "ambiguous_refusal" | "mailbox_exists" | "shared_local_part" | "catch_all_undetermined" | "no_candidate_exists" | "name_unreadable" | "suppressed" | "public_mail_domain" | "domain_unreadable";
            /** @description The mail domain that was searched, in A-labels. */
            domain: string;
            /** @description The mail operator's name. */
            provider: string | null;
            mx_host: string | null;
            /** @description Seconds until a later try may settle an `unknown`. */
            retry_after: number | null;
            evidence: components["schemas"]["FindingEvidenceBody"];
            request_id: string;
        };
        FindingsDiffReply: {
            /** @description In the later one only. */
            opened: components["schemas"]["ReportFindingReply"][];
            /** @description In the earlier one only. */
            resolved: components["schemas"]["ReportFindingReply"][];
            /** @description Codes of findings in both. */
            kept: string[];
        };
        FoundRecordReply: {
            /** @enum {string} */
            area: "mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi";
            /** @example example.com. */
            name: string;
            /** @enum {string} */
            type: "MX" | "NS" | "PTR" | "TXT" | "TLSA";
            value: string;
        };
        FoundRow: {
            /** @description Null when nobody was found. */
            email: string | null;
            /**
             * @description `unknown`: the address is a guess that nobody could confirm.
             * @enum {string}
             */
            verdict: "valid" | "invalid" | "risky" | "unknown";
            /** @description How likely the address is the person's; without one, how sure that is. */
            confidence: number;
            /** @example {first}.{last} */
            pattern: string | null;
            candidates_tried: number;
            alternatives: components["schemas"]["AlternativeBody"][];
            checks: components["schemas"]["ChecksBody"];
            /** @description 1 when an address was found, `valid` or `risky`; else 0. */
            credits_charged: number;
            latency_ms: number;
            /** @enum {string} */
            reason: "invalid_syntax" | "domain_not_found" | "no_mail_server" | "null_mx" | "unroutable_mail_server" | "mailbox_not_found" | "mailbox_disabled" | "domain_not_served" | "spam_trap" | "disposable" | "catch_all" | "mailbox_full" | "mailbox_restricted" | "role_account" | "ip_blocked" | "sender_rejected" | "policy_rejected" | "rate_limited" | "enumeration_suspected" | "greylisted" | "temporary_failure" | "smtp_timeout" | "smtp_unreachable" | "port25_blocked" | "smtp_protocol_error" | "smtputf8_unsupported" | "dns_error" | "provider_hides_mailboxes" | "ambiguous_refusal" | "mailbox_exists" | "shared_local_part" | "catch_all_undetermined" | "no_candidate_exists" | "name_unreadable" | "suppressed" | "public_mail_domain" | "domain_unreadable";
            /** @description The mail domain that was searched, in A-labels. */
            domain: string;
            /** @description The mail operator's name. */
            provider: string | null;
            mx_host: string | null;
            /** @description Seconds until a later try may settle an `unknown`. */
            retry_after: number | null;
            evidence: components["schemas"]["FindingEvidenceBody"];
            request_id: string;
            /** @description What was sent in this row. */
            columns?: {
                [key: string]: string;
            };
        };
        FullRow: {
            email: string;
            /** @enum {string} */
            verdict: "valid" | "invalid" | "risky" | "unknown";
            /** @description How sure the verdict is. */
            confidence: number;
            checks: components["schemas"]["ChecksBody"];
            credits_charged: number;
            latency_ms: number;
            /** @enum {string} */
            reason: "invalid_syntax" | "domain_not_found" | "no_mail_server" | "null_mx" | "unroutable_mail_server" | "mailbox_not_found" | "mailbox_disabled" | "domain_not_served" | "spam_trap" | "disposable" | "catch_all" | "mailbox_full" | "mailbox_restricted" | "role_account" | "ip_blocked" | "sender_rejected" | "policy_rejected" | "rate_limited" | "enumeration_suspected" | "greylisted" | "temporary_failure" | "smtp_timeout" | "smtp_unreachable" | "port25_blocked" | "smtp_protocol_error" | "smtputf8_unsupported" | "dns_error" | "provider_hides_mailboxes" | "ambiguous_refusal" | "mailbox_exists";
            did_you_mean: string | null;
            /** @description The mail operator's name. */
            provider: string | null;
            mx_host: string | null;
            /** @description Null when the address does not parse. */
            normalized_email: string | null;
            /** @enum {string} */
            action: "send" | "send_with_care" | "review" | "retry_later" | "do_not_send";
            /** @description Seconds until a later try may settle an `unknown`. */
            retry_after: number | null;
            /** @description Its owner asked not to be found; only where the account wants to be told. */
            suppressed?: boolean;
            evidence: components["schemas"]["EvidenceBody"];
            /** Format: date-time */
            checked_at: string;
            request_id: string;
            /** @description The other columns of the CSV that was sent. */
            columns?: {
                [key: string]: string;
            };
        };
        FullVerificationReply: {
            email: string;
            /** @enum {string} */
            verdict: "valid" | "invalid" | "risky" | "unknown";
            /** @description How sure the verdict is. */
            confidence: number;
            checks: components["schemas"]["ChecksBody"];
            credits_charged: number;
            latency_ms: number;
            /** @enum {string} */
            reason: "invalid_syntax" | "domain_not_found" | "no_mail_server" | "null_mx" | "unroutable_mail_server" | "mailbox_not_found" | "mailbox_disabled" | "domain_not_served" | "spam_trap" | "disposable" | "catch_all" | "mailbox_full" | "mailbox_restricted" | "role_account" | "ip_blocked" | "sender_rejected" | "policy_rejected" | "rate_limited" | "enumeration_suspected" | "greylisted" | "temporary_failure" | "smtp_timeout" | "smtp_unreachable" | "port25_blocked" | "smtp_protocol_error" | "smtputf8_unsupported" | "dns_error" | "provider_hides_mailboxes" | "ambiguous_refusal" | "mailbox_exists";
            did_you_mean: string | null;
            /** @description The mail operator's name. */
            provider: string | null;
            mx_host: string | null;
            /** @description Null when the address does not parse. */
            normalized_email: string | null;
            /** @enum {string} */
            action: "send" | "send_with_care" | "review" | "retry_later" | "do_not_send";
            /** @description Seconds until a later try may settle an `unknown`. */
            retry_after: number | null;
            /** @description Its owner asked not to be found; only where the account wants to be told. */
            suppressed?: boolean;
            evidence: components["schemas"]["EvidenceBody"];
            /** Format: date-time */
            checked_at: string;
            request_id: string;
        };
        HeadersReply: {
            from_fields: number;
            from_addresses: number;
            from_domain: string | null;
            reply_to_domain: string | null;
            date: string | null;
            /** @description From the Date to when it came. */
            date_age_s: number | null;
            message_id_domain: string | null;
            has_message_id: boolean;
            has_subject: boolean;
            /** @description Fields that may stand there once, and stand there more often. */
            repeated: string[];
            /** @description Fields with characters that are not encoded. */
            not_ascii: string[];
            auto_submitted: string | null;
            received: number;
            longest_line: number;
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
        KeepBatchRequest: {
            /** @description How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows. */
            retention_days: number;
        };
        KeptCheckReply: {
            /** Format: int64 */
            id: number;
            targets: components["schemas"]["KeptTargetReply"][];
            credits_charged: number;
            /** Format: date-time */
            checked_at: string;
        };
        KeptDomainCheckReply: {
            /** Format: int64 */
            id: number;
            domain: string;
            /**
             * @description The worst finding; `unknown`: nothing critical was found, and the DNS left a question open.
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown";
            counts: components["schemas"]["FindingCountsReply"];
            credits_charged: number;
            /** Format: date-time */
            checked_at: string;
        };
        KeptTargetReply: {
            target: string;
            /** @enum {string} */
            status: "listed" | "clean" | "unknown";
            /** @enum {string|null} */
            worst: "info" | "low" | "medium" | "high" | "critical" | null;
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
        LinksReply: {
            count: number;
            insecure: number;
            hosts: string[];
            shorteners: string[];
            addresses: string[];
            differing: components["schemas"]["DifferingLinkReply"][];
        };
        ListChangeReply: {
            email: string;
            before: components["schemas"]["AnswerReply"];
            after: components["schemas"]["AnswerReply"];
        };
        ListChangesReply: {
            /** Format: int64 */
            list_id: number;
            /**
             * Format: int64
             * @description Of the newest run; null before the first one.
             */
            batch_id: number | null;
            /** @description Whether that run still has to be compared, which takes seconds: `changes` is empty until then. */
            pending: boolean;
            changes: components["schemas"]["ListChangeReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        ListCountsReply: {
            asked: number;
            listed: number;
            not_listed: number;
            /** @description No answer that counts, whatever the reason. */
            no_answer: number;
            not_asked: number;
        };
        ListFactReply: {
            /** @example psbl */
            list: string;
            target: string;
            /**
             * @description As in a check of block lists.
             * @example not_listed
             */
            status: string;
            why: string | null;
        };
        ListPageReply: {
            lists: components["schemas"]["ListReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        ListReply: {
            /**
             * Format: int64
             * @description The batch's.
             */
            id: number;
            /** @description The batch's name, or `batch <id>`. */
            name: string;
            /**
             * Format: int64
             * @description That verified it last: the first one, unless it has a schedule.
             */
            batch_id: number;
            total_emails: number;
            counts: components["schemas"]["VerdictCounts"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was verified last.
             */
            verified_at: string;
            /**
             * Format: date-time
             * @description When its addresses are deleted; null while it has a schedule that is enabled.
             */
            expires_at: string | null;
            /** Format: uri */
            download_url: string;
        };
        ListResultReply: {
            /** @example psbl */
            list: string;
            /** @description What the list was asked about: the target, or its registered domain where the list knows no other names. */
            asked_name?: string | null;
            /** @enum {string} */
            status: "listed" | "not_listed" | "unknown_code" | "unconfirmed" | "refused" | "unhealthy" | "no_answer" | "not_asked";
            /** @description Why there is no answer that counts. */
            why: string | null;
            /** @example spam_trap_hit */
            meaning: string | null;
            /** @enum {string|null} */
            severity: "info" | "low" | "medium" | "high" | "critical" | null;
            /**
             * @description The answer as the list gave it.
             * @example [
             *       "127.0.0.2"
             *     ]
             */
            codes: string[];
            /** @description The list's own words. */
            reason: string | null;
            /** @description Asked twice, with right test points at that moment. */
            confirmed: boolean;
            /** @description This list listed many watched targets at once, so it may be wrong. */
            suspect?: boolean;
            /** Format: date-time */
            asked_at: string | null;
            answered_in_ms: number | null;
            /** @description Asked within the last five minutes; costs nothing. */
            from_cache: boolean;
            /** Format: date-time */
            list_tested_at: string | null;
            explanation: string | null;
            /** @enum {string|null} */
            action: "fix_then_delist" | "fix_then_wait" | "wait" | "none" | null;
            advice: string | null;
            lookup_url: string | null;
            delist_url: string | null;
        };
        ListRunReply: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            status: "running" | "completed" | "skipped" | "failed";
            /** @description Why it was skipped: a code of the errors. Why it has failed: `batch_failed`, `batch_cancelled`, or `batch_not_found` when its batch was deleted. */
            reason: string | null;
            /**
             * Format: int64
             * @description Of the batch that verified the list.
             */
            batch_id: number | null;
            /** @description Addresses whose verdict has changed. */
            changed: number | null;
        };
        ListScheduleReply: {
            /** Format: int64 */
            list_id: number;
            every_days: number;
            verdicts: ("valid" | "invalid" | "risky" | "unknown")[] | null;
            reuse_days: number;
            max_credits: number | null;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null while it is not enabled.
             */
            next_run_at: string | null;
            last_run: components["schemas"]["ListRunReply"] | null;
        };
        ListScheduleRequest: {
            /** @description Days from one run to the next. */
            every_days: number;
            /** @description Addresses with these verdicts are asked about again, and `unknown` ones always; null: all. */
            verdicts?: ("valid" | "invalid" | "risky" | "unknown")[] | null;
            /** @description The account's own verdicts of the addresses, at most so many days old, are given again for nothing. Default: 0. */
            reuse_days?: number | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
            /** @description False: no further run begins. Default: true. */
            enabled?: boolean | null;
        };
        ListWithRowsReply: {
            /**
             * Format: int64
             * @description The batch's.
             */
            id: number;
            /** @description The batch's name, or `batch <id>`. */
            name: string;
            /**
             * Format: int64
             * @description That verified it last: the first one, unless it has a schedule.
             */
            batch_id: number;
            total_emails: number;
            counts: components["schemas"]["VerdictCounts"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was verified last.
             */
            verified_at: string;
            /**
             * Format: date-time
             * @description When its addresses are deleted; null while it has a schedule that is enabled.
             */
            expires_at: string | null;
            /** Format: uri */
            download_url: string;
            /** @description The first rows, in the order of submission. */
            results: components["schemas"]["FullRow"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        MarkReply: {
            /**
             * @description Where the record stands.
             * @example default._bimi.example.com
             */
            name: string;
            logo_url: string | null;
            /**
             * @description `null`: not fetched.
             * @enum {string|null}
             */
            logo: "found" | "failed" | "unknown" | null;
            certificate_url: string | null;
            /**
             * @description `null`: not fetched.
             * @enum {string|null}
             */
            certificate: "found" | "failed" | "unknown" | null;
            /** Format: date-time */
            certificate_expires_at: string | null;
        };
        MarkerReply: {
            /** @example X-Mailsonde-Test: 7q2k6mz4c3x5abcd */
            header: string;
            /** @example mailsonde-test: 7q2k6mz4c3x5abcd */
            body_line: string;
        };
        MonitorDiffReply: {
            /** Format: int64 */
            from: number;
            /** Format: int64 */
            to: number;
            records_added: components["schemas"]["FoundRecordReply"][];
            records_removed: components["schemas"]["FoundRecordReply"][];
            /** @description Names and types that have records in both, and others. */
            records_changed: components["schemas"]["ChangedRecordReply"][];
            listings_changed: components["schemas"]["ChangedListingReply"][];
            /** @description Seen by the second and not by the first. */
            findings_opened: components["schemas"]["SeenFindingReply"][];
            findings_resolved: components["schemas"]["SeenFindingReply"][];
        };
        MonitorEventPageReply: {
            events: components["schemas"]["MonitorEventReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        MonitorEventReply: {
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            type: "monitor.created" | "monitor.edited" | "monitor.paused" | "monitor.resumed" | "monitor.state" | "monitor.stalled" | "finding.suspected" | "finding.opened" | "finding.worsened" | "finding.eased" | "finding.resolved" | "finding.flapping" | "finding.muted" | "finding.unmuted" | "finding.noted" | "list.muted" | "list.unmuted" | "list.noted" | "facts.changed";
            /** Format: int64 */
            run_id: number | null;
            /** Format: int64 */
            finding_id: number | null;
            data: {
                [key: string]: unknown;
            };
        };
        MonitorFactsReply: {
            records: components["schemas"]["FoundRecordReply"][];
            spf_lookups: number | null;
            /** @enum {string|null} */
            dnssec: "secure" | "insecure" | "bogus" | "unknown" | null;
            blacklists: components["schemas"]["ListFactReply"][];
            /** @description Names that the DNS did not answer for, and block lists that did not, each with its target: what is shown of them is from the run before. */
            unanswered: string[];
        };
        MonitorFindingPageReply: {
            findings: components["schemas"]["MonitorFindingReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        MonitorFindingReply: {
            /**
             * @description Stable.
             * @example dmarc_missing
             */
            code: string;
            /** @enum {string} */
            area: "mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi" | "blacklists";
            /** @enum {string} */
            severity: "critical" | "warning" | "info";
            /** @description The domain, a mail host, an address or a selector; of a listing the list and the target. */
            subject: string;
            explanation: string;
            /** @description What it was seen by. */
            evidence: {
                [key: string]: unknown;
            };
            fix: components["schemas"]["DnsFixReply"] | null;
            /** @example RFC 9989 */
            rfc: string | null;
            /** Format: int64 */
            id: number;
            /**
             * Format: int64
             * @description From the first check that saw it to its end: the events that open and resolve it carry the same.
             */
            incident_id: number;
            /**
             * @description `suspected`: seen once; `clearing`: open, and not seen by the last run.
             * @enum {string}
             */
            state: "suspected" | "open" | "clearing" | "resolved";
            /** @description It comes and goes: it is told once a day. */
            flapping: boolean;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            confirmed_at: string | null;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: date-time */
            resolved_at: string | null;
            /** Format: date-time */
            muted_until: string | null;
            note: string | null;
        };
        MonitorPageReply: {
            monitors: components["schemas"]["MonitorReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        MonitorReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            kind: "domain" | "address";
            /**
             * @description The domain in A-labels, or the address in its short form.
             * @example example.com
             */
            target: string;
            name: string | null;
            /**
             * @description The worst finding that is open; `pending`: before the first run; `unknown`: the last run lacked an answer that decides.
             * @enum {string}
             */
            state: "pending" | "ok" | "warning" | "critical" | "unknown" | "paused";
            /**
             * @description `plan`: the plan has room for fewer; `suspended`: the account is; `operator`: an administrator did.
             * @enum {string|null}
             */
            paused_by: "owner" | "plan" | "suspended" | "operator" | null;
            paused_why: string | null;
            enabled: boolean;
            interval_minutes: number;
            /** @description Only these; null: all. */
            checks: ("mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi" | "blacklists")[] | null;
            dkim_selectors: string[];
            sending_addresses: string[];
            /** @enum {string} */
            alert_from: "info" | "warning" | "critical";
            notify_first: boolean;
            /** @description Block lists of which nothing is told. */
            muted_lists: components["schemas"]["MutedListReply"][];
            /** @description Findings that are open, muted ones among them. */
            open: components["schemas"]["OpenCountsReply"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null while it is paused.
             */
            next_run_at: string | null;
            /** Format: date-time */
            last_run_at: string | null;
            /** Format: int64 */
            last_run_id: number | null;
            /**
             * Format: date-time
             * @description Since when each of its runs has lacked an answer that decides about the state.
             */
            unanswered_since: string | null;
        };
        MonitorRunPageReply: {
            runs: components["schemas"]["MonitorRunReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        MonitorRunReply: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            monitor_id: number;
            /** @description Which run of the monitor it is. */
            number: number;
            /** @enum {string} */
            cause: "schedule" | "request";
            /** @enum {string} */
            state: "ok" | "warning" | "critical" | "unknown";
            /** @description Whether everything that decides about the state was answered. */
            answered: boolean;
            /** @description Whether facts or findings are others than those of the run before. */
            changed: boolean;
            opened: number;
            resolved: number;
            credits_charged: number;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string;
        };
        MonitorRunWithResultReply: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            monitor_id: number;
            /** @description Which run of the monitor it is. */
            number: number;
            /** @enum {string} */
            cause: "schedule" | "request";
            /** @enum {string} */
            state: "ok" | "warning" | "critical" | "unknown";
            /** @description Whether everything that decides about the state was answered. */
            answered: boolean;
            /** @description Whether facts or findings are others than those of the run before. */
            changed: boolean;
            opened: number;
            resolved: number;
            credits_charged: number;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string;
            facts: components["schemas"]["MonitorFactsReply"];
            /** @description The worst first, as the run saw them. */
            findings: components["schemas"]["SeenFindingReply"][];
        };
        MuteRequest: {
            /**
             * Format: date-time
             * @description Until then nothing is told of it; null: it is told again. Left out it stays.
             */
            muted_until?: string | null;
            /** @description Your own words about it; null takes them away. */
            note?: string | null;
        };
        MutedListReply: {
            /** @example psbl */
            list: string;
            /** Format: date-time */
            muted_until: string;
            note: string | null;
            /**
             * Format: date-time
             * @description Since when it is muted.
             */
            since: string | null;
            /** @description The key that has muted it. */
            key_id: string | null;
        };
        NamedScheduleReply: {
            /** Format: int64 */
            list_id: number;
            every_days: number;
            verdicts: ("valid" | "invalid" | "risky" | "unknown")[] | null;
            reuse_days: number;
            max_credits: number | null;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null while it is not enabled.
             */
            next_run_at: string | null;
            last_run: components["schemas"]["ListRunReply"] | null;
            /** @description The list's. */
            name: string;
        };
        OpenCountsReply: {
            critical: number;
            warning: number;
            info: number;
        };
        OwnershipReply: {
            /** Format: int64 */
            monitor_id: number;
            /** @example example.com */
            domain: string;
            /** @description Whether it is proven that the domain is yours. */
            verified: boolean;
            /**
             * @description What the DNS said of the record just now; `no_answer` changes nothing.
             * @enum {string}
             */
            look: "found" | "missing" | "no_answer";
            /** @description The record that proves it: leave it published. */
            record: components["schemas"]["ProofRecordReply"];
            /** @description Where aggregate reports are received; null until it is proven. */
            report_address: string | null;
            /**
             * @description What to put into the domain's DMARC record, beside other addresses behind a comma.
             * @example rua=mailto:d-mfrggzdfmztwq2lk@in.example.net
             */
            dmarc_tag: string | null;
            /** @description The record by which senders report on encryption (RFC 8460) there; null until it is proven. */
            tls_record: components["schemas"]["TlsRecordReply"] | null;
        };
        PendingPersonRow: {
            /** @enum {string|null} */
            verdict: null;
            /**
             * @description It waits for its answer, and the batch still runs.
             * @enum {boolean}
             */
            pending: true;
            domain: string;
            columns?: {
                [key: string]: string;
            };
        };
        PendingRow: {
            email: string;
            /** @description The other columns of the CSV that was sent. */
            columns?: {
                [key: string]: string;
            };
            /** @enum {string|null} */
            verdict: null;
            /**
             * @description It waits for its answer, and the batch still runs.
             * @enum {boolean}
             */
            pending: true;
        };
        PeopleBatchPageReply: {
            batches: components["schemas"]["PeopleBatchReply"][];
            next_cursor: string | null;
        };
        PeopleBatchReply: {
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
            /** @description Rows that are answered; repeated addresses as often as they were sent. */
            processed: number;
            progress: number;
            counts: components["schemas"]["VerdictCounts"];
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
            /** @description Of a held batch, by the balance of now; null for others. */
            quote: components["schemas"]["PeopleQuoteReply"] | null;
            total_people: number;
            /** @description Without repeated people: who is searched for and charged. */
            unique_people: number;
        };
        PeopleBatchRequest: {
            people: components["schemas"]["PersonBody"][];
            name?: string | null;
            /** @description Told when the batch ends. */
            webhook_url?: string | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
            /** @description So long after an answer that time may change it is tried again; 0: never. */
            retry_window_seconds?: number | null;
            /** @description How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows. */
            retention_days?: number | null;
        };
        PeopleBatchTakenReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            name: string | null;
            /** @description Of `webhook_url`; null without one. */
            webhook: components["schemas"]["BatchWebhookReply"] | null;
            /** @description Of a held batch. */
            quote?: components["schemas"]["PeopleQuoteReply"];
            total_people: number;
            /** @description Without repeated people: who is searched for and charged. */
            unique_people: number;
        };
        PeopleQuoteReply: {
            rows: number;
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
            /** @description Without repeated people: who is searched for and charged. */
            unique_people: number;
        };
        PeopleResultsReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "held" | "queued" | "processing" | "completed" | "failed" | "cancelled";
            total_people: number;
            /** @description Whether the batch has ended and no row will change; only with `partial=true`. */
            complete?: boolean;
            /** @description In the order of submission. */
            results: (components["schemas"]["FoundRow"] | components["schemas"]["PendingPersonRow"])[];
            next_cursor: string | null;
        };
        PeopleSummaryReply: {
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
            /** @description Rows whose person was found: `valid` or `risky`. */
            found: number;
        };
        PersonBody: {
            first_name?: string | null;
            last_name?: string | null;
            /** @description Instead of the two. */
            full_name?: string | null;
            domain: string;
        };
        PlacementCountsReply: {
            /** @description Seeds with an outcome; rates are over these. */
            measured: number;
            inbox: number;
            /** @description A kind of inbox. */
            tab: number;
            spam: number;
            other_folder: number;
            missing: number;
            pending: number;
            seed_error: number;
        };
        PlacementDiffReply: {
            /** Format: int64 */
            from: number;
            /** Format: int64 */
            to: number;
            /** @description Providers whose counts differ. */
            placement: components["schemas"]["ProviderDiffReply"][];
            /** @description Results that differ. */
            authentication: components["schemas"]["BeforeAfterReply"][];
            findings: components["schemas"]["FindingsDiffReply"];
        };
        PlacementReportReply: {
            /** @description False: our resolver did not answer, or is not believed. What depends on it is unknown, and the report costs nothing. */
            dns_answered: boolean;
            /** @description Null: nobody has said from where it came. */
            transport: components["schemas"]["TransportReply"] | null;
            authentication: components["schemas"]["AuthenticationReply"] | null;
            headers: components["schemas"]["HeadersReply"] | null;
            unsubscribe: components["schemas"]["UnsubscribeReply"] | null;
            content: components["schemas"]["ContentReply"] | null;
            /** @description Block lists on the sending address, the domains of From and of signatures, and those of links. */
            reputation: components["schemas"]["TargetResultReply"][];
            /** @description Null: the operator has none. */
            spam_filter: components["schemas"]["SpamFilterReply"] | null;
            bulk_sender_rules: components["schemas"]["BulkSenderRuleReply"][];
            /** @description The worst first. */
            findings: components["schemas"]["ReportFindingReply"][];
        };
        PlacementTestPageReply: {
            tests: components["schemas"]["PlacementTestRowReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        PlacementTestReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "waiting" | "receiving" | "completed" | "expired" | "cancelled";
            name: string | null;
            /** @description Send one mail to all of these: ours first, then the seeds. */
            send_to: string[];
            /** @description Not needed at our address; seeds know the mail by it. */
            marker: components["schemas"]["MarkerReply"];
            /** @description `none` where no mailbox of those wanted could be used. */
            seeds: ("all" | "none") | string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            first_arrival_at: string | null;
            /** Format: date-time */
            settled_at: string | null;
            /** @description Mails that came to our address; the first is judged. */
            messages: number;
            /** @description Null: without seeds. */
            placement: components["schemas"]["SeedPlacementReply"] | null;
            /** @description Null: nothing has come yet, or no report could be made. */
            report: components["schemas"]["PlacementReportReply"] | null;
            credits_charged: number;
            /** @description Held until the test ends. */
            credits_reserved: number;
        };
        PlacementTestRequest: {
            /** @description In test mode some names are played: `all-inbox`, `gmail-spam`, `promotions`, `missing`, … */
            name?: string | null;
            /** @description Mailboxes beside our own: all that can be used now, none, or those of some providers. Default: "all". */
            seeds?: ("all" | "none") | string[] | null;
            /** @description So long after the first arrival what has not come is missing. Default: 30. */
            settle_minutes?: number | null;
            /** @description So long the first arrival is waited for. Default: 60. */
            expires_minutes?: number | null;
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
        };
        PlacementTestRowReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "waiting" | "receiving" | "completed" | "expired" | "cancelled";
            name: string | null;
            findings: components["schemas"]["FindingCountsReply"];
            credits_charged: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            settled_at: string | null;
        };
        ProofRecordReply: {
            /** @example _mailsonde.example.com. */
            name: string;
            /** @enum {string} */
            type: "TXT";
            /** @example mailsonde-verification=mfrggzdfmztwq2lk */
            value: string;
        };
        ProviderCountReply: {
            /** @description Null: of no mail operator that has a name here. */
            provider: string | null;
            /** @description Repeated addresses as often as they were sent. */
            rows: number;
            counts: components["schemas"]["VerdictCounts"];
        };
        ProviderDiffReply: {
            /** @example gmail */
            provider: string;
            before: components["schemas"]["PlacementCountsReply"] | null;
            after: components["schemas"]["PlacementCountsReply"] | null;
        };
        ProviderPlacementReply: {
            /** @description Seeds with an outcome; rates are over these. */
            measured: number;
            inbox: number;
            /** @description A kind of inbox. */
            tab: number;
            spam: number;
            other_folder: number;
            missing: number;
            pending: number;
            seed_error: number;
            /** @example gmail */
            provider: string;
            seeds: components["schemas"]["SeedReply"][];
        };
        PublishedPolicyReply: {
            /** @example quarantine */
            p: string | null;
            sp: string | null;
            np: string | null;
            adkim: string | null;
            aspf: string | null;
            /** @description Only in reports of the old form. */
            pct: string | null;
            testing: string | null;
            /** @example treewalk */
            discovery_method: string | null;
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
        RedeliverRequest: {
            /**
             * Format: date-time
             * @description Events from then on. Default: all that are kept.
             */
            since?: string | null;
            /**
             * Format: date-time
             * @description Events before then. Default: now.
             */
            until?: string | null;
            /** @description Also those that have succeeded. Default: false. */
            include_succeeded?: boolean | null;
        };
        RedeliveredReply: {
            /** @description Deliveries whose schedule has begun anew. */
            redelivered: number;
        };
        RenameListRequest: {
            /** @description Null, or left out: the list keeps its name. */
            name?: string | null;
        };
        ReportFindingReply: {
            /**
             * @description Stable.
             * @example dkim_missing
             */
            code: string;
            /** @enum {string} */
            area: "transport" | "authentication" | "headers" | "unsubscribe" | "content" | "reputation" | "spam_filter";
            /** @enum {string} */
            severity: "critical" | "warning" | "info";
            explanation: string;
            /** @description What it was seen by. */
            evidence: {
                [key: string]: unknown;
            };
            /** @description What to do. */
            fix: string;
            /** @description The record to publish, where what the domain publishes can tell. */
            record: components["schemas"]["DnsFixReply"] | null;
            /** @example RFC 6376 */
            rfc: string | null;
        };
        ReportedFailureReply: {
            /**
             * @description The domain in From.
             * @example example.com
             */
            domain: string;
            /**
             * @description What failed: a word of RFC 6591 section 3.3, or a newer one.
             * @example dkim
             */
            failure: string;
            /**
             * @description What became of the last message.
             * @example reject
             */
            delivery: string | null;
            dkim_domain: string | null;
            dkim_selector: string | null;
            /** @description The reporter's program, in its own words. */
            reporter: string | null;
            /** Format: int64 */
            messages: number;
            /** Format: date-time */
            last_at: string;
        };
        ReportedSourceReply: {
            /** @example 192.0.2.10 */
            source: string;
            /** Format: int64 */
            messages: number;
            /**
             * Format: int64
             * @description Passed DMARC: DKIM or SPF passed for an aligned domain.
             */
            passed: number;
            /** Format: int64 */
            failed: number;
            /**
             * Format: int64
             * @description SPF passed, for whichever domain.
             */
            spf_passed: number;
            /**
             * Format: int64
             * @description SPF passed for a domain that aligns with the one in From.
             */
            spf_aligned: number;
            /**
             * Format: int64
             * @description DKIM passed, for whichever domain.
             */
            dkim_passed: number;
            /**
             * Format: int64
             * @description DKIM passed for a domain that aligns with the one in From.
             */
            dkim_aligned: number;
            /** Format: int64 */
            quarantined: number;
            /** Format: int64 */
            rejected: number;
            /**
             * Format: int64
             * @description Organizations that reported it.
             */
            reporters: number;
            /** @description Domains for which DKIM or SPF passed, at most five: who it is. */
            authenticated_as: string[];
            /**
             * Format: date-time
             * @description When it was reported first.
             */
            first_seen_at: string | null;
            /** @description What reports of single messages say (RFC 9991), at most five. */
            failure_reports: components["schemas"]["ReportedFailureReply"][];
        };
        ReportedSourcesReply: {
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Excluded.
             */
            to: string;
            /**
             * Format: int64
             * @description Reports that are not counted: the newer ones have 200,000 rows or more.
             */
            reports_left_out: number;
            /** @description The most messages first. */
            sources: components["schemas"]["ReportedSourceReply"][];
        };
        ResultsReply: {
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
            results: (components["schemas"]["FullRow"] | components["schemas"]["PendingRow"])[];
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
        SchedulesReply: {
            /** @description The next one to run first. */
            schedules: components["schemas"]["NamedScheduleReply"][];
        };
        SecretWebhookReply: {
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
            /**
             * @description Signs the deliveries. Shown here and never again; null in the replay of an idempotency key to another API key.
             * @example whsec_…
             */
            secret: string | null;
        };
        SeedAuthenticationReply: {
            spf: string | null;
            dkim: string | null;
            dmarc: string | null;
        };
        SeedPlacementReply: {
            /** @description Seeds with an outcome; rates are over these. */
            measured: number;
            inbox: number;
            /** @description A kind of inbox. */
            tab: number;
            spam: number;
            other_folder: number;
            missing: number;
            pending: number;
            seed_error: number;
            providers: components["schemas"]["ProviderPlacementReply"][];
            note: string;
        };
        SeedReply: {
            /** @example gmail */
            provider: string;
            /**
             * @description `seed_error`: we could not look, so it counts nowhere.
             * @enum {string}
             */
            placement: "inbox" | "tab" | "spam" | "other_folder" | "missing" | "pending" | "seed_error";
            /** @example promotions */
            tab: string | null;
            arrived_after_s: number | null;
            /**
             * @description By what the mail was known.
             * @example header
             */
            matched_by: string | null;
            authentication: components["schemas"]["SeedAuthenticationReply"] | null;
        };
        SeenFindingReply: {
            /**
             * @description Stable.
             * @example dmarc_missing
             */
            code: string;
            /** @enum {string} */
            area: "mx" | "reverse" | "spf" | "dkim" | "dmarc" | "mta_sts" | "tls_rpt" | "dane" | "dnssec" | "starttls" | "registration" | "bimi" | "blacklists";
            /** @enum {string} */
            severity: "critical" | "warning" | "info";
            /** @description The domain, a mail host, an address or a selector; of a listing the list and the target. */
            subject: string;
            explanation: string;
            /** @description What it was seen by. */
            evidence: {
                [key: string]: unknown;
            };
            fix: components["schemas"]["DnsFixReply"] | null;
            /** @example RFC 9989 */
            rfc: string | null;
        };
        SpamFilterReply: {
            /** @enum {string} */
            engine: "rspamd" | "spamassassin";
            /** @description Null: it did not answer. */
            score: number | null;
            /** @description From this score on it is spam. */
            required: number | null;
            /** @description The heaviest first. */
            symbols: components["schemas"]["SpamSymbolReply"][];
        };
        SpamSymbolReply: {
            name: string;
            score: number;
            description: string | null;
        };
        SpfReply: {
            /** @example pass */
            result: string;
            domain: string | null;
            record: string | null;
            /** @description DNS look-ups; receivers make 10. */
            lookups: number | null;
            /** @description Whether it passes for the domain of From, or one of its organization. */
            aligned: boolean;
        };
        SpfTermReply: {
            /** @description 0 in the domain's own record, one more for each record on the way. */
            depth: number;
            /** @example include:_spf.example.net */
            term: string;
            domain: string;
            /** @description Of this term and of everything below it. */
            lookups: number;
            /** @description The name that it asks for does not exist. */
            void: boolean;
            /** @enum {string|null} */
            problem: "missing" | "multiple" | "syntax" | "unanswered" | "circle" | "too_many_mail_hosts" | null;
        };
        StartBatchRequest: {
            /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
            max_credits?: number | null;
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
        SuppressionSettingsReply: {
            /** @description Verifications say `suppressed` for each address. */
            report_in_verify: boolean;
        };
        SuppressionSettingsRequest: {
            /** @description Verifications say `suppressed` for each address. */
            report_in_verify: boolean;
        };
        TargetResultReply: {
            target: string;
            /** @enum {string} */
            kind: "ipv4" | "ipv6" | "domain";
            /** @enum {string} */
            role: "given";
            /**
             * @description `unknown`: a list that matters, and that may be asked, has not answered.
             * @enum {string}
             */
            status: "listed" | "clean" | "unknown";
            /** @enum {string|null} */
            worst: "info" | "low" | "medium" | "high" | "critical" | null;
            coverage?: components["schemas"]["CoverageReply"];
            counts: components["schemas"]["ListCountsReply"];
            lists: components["schemas"]["ListResultReply"][];
        };
        TlsDayReply: {
            /**
             * Format: date
             * @description UTC; the day on which a period of a report begins.
             */
            day: string;
            /**
             * @description What the sender kept to: TLSA records (DANE), MTA-STS, or neither.
             * @enum {string}
             */
            policy_type: "tlsa" | "sts" | "no-policy-found";
            /** Format: int64 */
            successful_sessions: number;
            /** Format: int64 */
            failed_sessions: number;
        };
        TlsFailureReply: {
            /**
             * @description A result of RFC 8460 section 4.3, or a newer one.
             * @example certificate-expired
             */
            result: string;
            /**
             * @description What the sender kept to: TLSA records (DANE), MTA-STS, or neither.
             * @enum {string}
             */
            policy_type: "tlsa" | "sts" | "no-policy-found";
            /** @description The mail host of yours, where it was told. */
            mail_host: string | null;
            /** Format: int64 */
            sessions: number;
            /**
             * Format: int64
             * @description Organizations that reported it.
             */
            reporters: number;
            /**
             * Format: int64
             * @description Addresses from which they connected.
             */
            senders: number;
            /**
             * @description Of these addresses at most five.
             * @example [
             *       "192.0.2.77"
             *     ]
             */
            sender_addresses: string[];
            /** @description Codes of the reporters themselves, at most five. */
            reasons: string[];
            /**
             * Format: date-time
             * @description When the last period begins in which it was so.
             */
            last_begins_at: string;
        };
        TlsFailuresReply: {
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Excluded.
             */
            to: string;
            /** Format: int64 */
            reports: number;
            /** Format: int64 */
            successful_sessions: number;
            /**
             * Format: int64
             * @description By the sums of the reports, which may count failures that they do not describe.
             */
            failed_sessions: number;
            /** @description The oldest first; a day without a report is left out. */
            days: components["schemas"]["TlsDayReply"][];
            /**
             * Format: int64
             * @description Reports of which failures are not described here: the newer ones have 200,000 failures or more.
             */
            reports_left_out: number;
            /** @description The most sessions first. */
            failures: components["schemas"]["TlsFailureReply"][];
        };
        TlsPolicyReply: {
            /**
             * @description What the sender kept to: TLSA records (DANE), MTA-STS, or neither.
             * @enum {string}
             */
            policy_type: "tlsa" | "sts" | "no-policy-found";
            /** @example example.com */
            domain: string;
            /** Format: int64 */
            successful_sessions: number;
            /** Format: int64 */
            failed_sessions: number;
        };
        TlsRecordReply: {
            /** @example _smtp._tls.example.com. */
            name: string;
            /** @enum {string} */
            type: "TXT";
            /** @example v=TLSRPTv1; rua=mailto:d-mfrggzdfmztwq2lk@in.example.net */
            value: string;
        };
        TlsReportPageReply: {
            reports: components["schemas"]["TlsReportReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        TlsReportReply: {
            /** Format: int64 */
            id: number;
            /**
             * @description Who reports, in its own words.
             * @example sender.example
             */
            organization: string;
            /** @description As its reporter numbers it. */
            report_id: string;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            policies: components["schemas"]["TlsPolicyReply"][];
            /**
             * Format: int64
             * @description Connections that were encrypted as the policy wants.
             */
            successful_sessions: number;
            /** Format: int64 */
            failed_sessions: number;
            /**
             * Format: int64
             * @description Failures that could not be read.
             */
            failures_left_out: number;
            /** Format: date-time */
            received_at: string;
        };
        TransportReply: {
            client_address: string;
            reverse_name: string | null;
            /** @description Whether that name leads back to the address. */
            forward_confirmed: boolean | null;
            /** @description False: the DNS did not answer, and nothing is said of the name. */
            reverse_answered: boolean;
            helo: string | null;
            mail_from: string | null;
            /**
             * @description `none`: in clear; null: not known.
             * @example TLSv1.3
             */
            tls: string | null;
        };
        TriedBody: {
            /** @enum {string} */
            stage: "syntax" | "dns" | "connect" | "banner" | "ehlo" | "starttls" | "mail" | "rcpt";
            mx_host: string | null;
            mx_address: string | null;
            reply_code: number | null;
            /** @example 5.1.1 */
            enhanced_code: string | null;
            text: string | null;
            from_cache: boolean;
            /**
             * @description What settled a refusal that gives no reason; null when the reply says by itself what it means.
             * @enum {string|null}
             */
            witness: "accepted_name" | "reply_text" | "postmaster" | "made_up_name" | "unrelated_domains" | null;
            /**
             * @description Which of the sending addresses of this service asked; null when no mail host was asked for it.
             * @example default
             */
            source: string | null;
            email: string;
            /** @example {first}.{last} */
            pattern: string;
            /** @enum {string} */
            verdict: "valid" | "invalid" | "risky" | "unknown";
            /** @enum {string} */
            reason: "invalid_syntax" | "domain_not_found" | "no_mail_server" | "null_mx" | "unroutable_mail_server" | "mailbox_not_found" | "mailbox_disabled" | "domain_not_served" | "spam_trap" | "disposable" | "catch_all" | "mailbox_full" | "mailbox_restricted" | "role_account" | "ip_blocked" | "sender_rejected" | "policy_rejected" | "rate_limited" | "enumeration_suspected" | "greylisted" | "temporary_failure" | "smtp_timeout" | "smtp_unreachable" | "port25_blocked" | "smtp_protocol_error" | "smtputf8_unsupported" | "dns_error" | "provider_hides_mailboxes" | "ambiguous_refusal" | "mailbox_exists";
        };
        TryRequest: {
            /** @description A word in the local part decides the verdict, such as `jane+full`. */
            email: string;
        };
        UnreadableReportPageReply: {
            /**
             * Format: int64
             * @description Since the address exists.
             */
            count: number;
            /** @description The last 100 without a `reporter`, and the last 10 of each reporter. */
            unreadable: components["schemas"]["UnreadableReportReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
        };
        UnreadableReportReply: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            reason: "mail_too_large" | "reading_too_long" | "reading_too_large" | "mail_malformed" | "no_report" | "too_many_reports" | "archive_malformed" | "unpacked_too_large" | "json_malformed" | "json_too_deep" | "xml_malformed" | "xml_with_doctype" | "xml_too_deep" | "too_many_records" | "report_incomplete" | "other_domain" | "other_time" | "too_many";
            /** @example The report is not valid XML. */
            explanation: string;
            /**
             * @description The domain of the envelope sender, which nobody has proven.
             * @example receiver.example
             */
            sender_domain: string | null;
            /**
             * @description The domain for which the email passed SPF or DKIM; null: it passed neither.
             * @example receiver.example
             */
            reporter: string | null;
            /** @description The size of the email in bytes. */
            bytes: number;
            /** Format: date-time */
            received_at: string;
        };
        UnsubscribeReply: {
            list_unsubscribe: boolean;
            well_formed: boolean;
            /** @description Hosts of its https addresses, which nobody asks. */
            https_hosts: string[];
            mailto: boolean;
            /** @description As RFC 8058 has it. */
            one_click: boolean;
            /** @description Whether a DKIM signature that passes covers the fields. */
            signed: boolean | null;
        };
        UsableProviderReply: {
            /**
             * @description As a test may ask for it.
             * @example gmail
             */
            provider: string;
            /** @description Mailboxes there that a test would use now. */
            seeds: number;
        };
        UsableSeedsReply: {
            /** @description Empty: tests are of our own copy of the mail alone. */
            providers: components["schemas"]["UsableProviderReply"][];
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
        VerdictCounts: {
            valid: number;
            invalid: number;
            risky: number;
            unknown: number;
        };
        VerificationSettingsReply: {
            /** @description Whether verdicts may be kept for `reuse_days`; they are kept from the first request that asks for it. */
            reuse: boolean;
        };
        VerificationSettingsRequest: {
            /** @description Whether verdicts are kept for `reuse_days`. Switching it off deletes what is kept. */
            reuse: boolean;
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
        WebhookPageReply: {
            webhooks: components["schemas"]["WebhookReply"][];
            /** @description For the next page as `cursor`; null on the last one. */
            next_cursor: string | null;
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
    };
    responses: {
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
         *     - `live_key_required`: This needs a live key; a test key cannot create one.
         *     - `ceiling_not_allowed`: A key that has ceilings cannot give out one that may spend more than itself, or replace or delete a schedule of such a key.
         *     - `key_in_grace`: This key was rotated: in its grace it makes and changes no keys. Use the one that took its place.
         */
        Error403FullAccountRequiredLiveKeyRequiredCeilingNotAllowedKeyInGrace: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /** @description - `claim_not_found`: No agent waits for this claim: the token is wrong, or older than 30 days. */
        Error404ClaimNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
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
         *     - `already_claimed`: This agent has been claimed already: a key is claimed once.
         *     - `key_not_claimable`: The agent's key has expired, or it was revoked or suspended.
         *     - `too_many_keys`: The account has as many working keys of this kind as it may have.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostAlreadyClaimedKeyNotClaimableTooManyKeys: {
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
        /** @description - `rate_limited`: Too many requests: the header Retry-After says after how many seconds to try again. */
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
         * @description - `idempotency_in_progress`: The first request with this idempotency key is still running.
         *     - `idempotency_reply_lost`: The request with this idempotency key was answered before, but that reply cannot be read any more. It is not done again.
         *     - `too_many_keys`: The account has as many working keys of this kind as it may have.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostTooManyKeys: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
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
        /**
         * @description - `account_suspended`: The account is suspended.
         *     - `address_not_allowed`: This key does not work from your network.
         *     - `permission_missing`: This key lacks a permission that this needs.
         *     - `full_account_required`: This needs a full account, which the operator of this service gives; agent keys cannot use it.
         *     - `ceiling_not_allowed`: A key that has ceilings cannot give out one that may spend more than itself, or replace or delete a schedule of such a key.
         *     - `key_in_grace`: This key was rotated: in its grace it makes and changes no keys. Use the one that took its place.
         *     - `key_lasts_longer`: A key changes, rotates and revokes none that works longer than itself, and replaces or deletes no schedule of such a key.
         */
        Error403FullAccountRequiredCeilingNotAllowedKeyInGraceKeyLastsLonger: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
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
        /** @description - `last_live_key`: This is the last live key of the account: create or rotate to another one first. */
        Error409LastLiveKey: {
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
        /** @description - `not_found`: There is no such path: /llms.txt and /docs tell which there are. */
        Error404NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `list_not_found`: There is no such list. */
        Error404ListNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `schedule_not_found`: There is no such list, or it has no schedule. */
        Error404ScheduleNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `too_many_schedules`: The account has as many scheduled lists as it may. */
        Error409TooManySchedules: {
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
         *     - `endpoint_exists`: The account has an endpoint with this URL already: change that one.
         *     - `too_many_endpoints`: The account has as many webhook endpoints as it may have.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostEndpointExistsTooManyEndpoints: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `webhook_not_found`: There is no such webhook endpoint. */
        Error404WebhookNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `endpoint_exists`: The account has an endpoint with this URL already: change that one. */
        Error409EndpointExists: {
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
         * @description - `invalid_input`: The request has invalid input.
         *     - `idempotency_key_reused`: This idempotency key was used with another request body.
         *     - `public_mail_domain`: Anybody can have a mailbox at this domain: to search for a person there would be guessing at strangers.
         */
        Error422InvalidInputIdempotencyKeyReusedPublicMailDomain: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error422"];
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
        /**
         * @description - `account_suspended`: The account is suspended.
         *     - `address_not_allowed`: This key does not work from your network.
         *     - `permission_missing`: This key lacks a permission that this needs.
         *     - `full_account_required`: This needs a full account, which the operator of this service gives; agent keys cannot use it.
         *     - `plan_limit_reached`: This is more than the account's plan allows.
         */
        Error403FullAccountRequiredPlanLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /** @description - `check_not_found`: There is no such check: checks are kept for 30 days. */
        Error404CheckNotFound: {
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
         *     - `monitor_exists`: The account watches this target already: change that monitor.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostMonitorExists: {
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
        /** @description - `monitor_paused_by_operator`: An administrator has paused the monitor, and lets it go on. */
        Error409MonitorPausedByOperator: {
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
         * @description - `credits_insufficient`: There are not enough credits for this request.
         *     - `key_ceiling_reached`: The work may cost more than a ceiling of the key leaves; nothing was done.
         */
        Error402CreditsInsufficientKeyCeilingReached: {
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
         *     - `monitor_paused`: The monitor is paused: let it go on first.
         *     - `monitor_busy`: The monitor runs, or is changed, at this moment: ask again in a minute.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostMonitorPausedMonitorBusy: {
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
         * @description - `monitor_not_found`: There is no such monitor.
         *     - `run_not_found`: There is no such run of this monitor, or it is older than its history is kept.
         */
        Error404MonitorNotFoundRunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `monitor_not_found`: There is no such monitor.
         *     - `blacklist_not_found`: There is no such block list: GET /admin/v1/blacklists names those that there are.
         */
        Error404MonitorNotFoundBlacklistNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `monitor_not_found`: There is no such monitor.
         *     - `finding_not_found`: There is no such finding of this monitor.
         */
        Error404MonitorNotFoundFindingNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /**
         * @description - `placement_unavailable`: Nobody receives mail for placement tests at the moment.
         *     - `unavailable`: The service cannot answer at the moment.
         */
        Error503PlacementUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error503"];
            };
        };
        /** @description - `placement_test_not_found`: There is no such placement test: tests are kept for 90 days, and their messages for 7. */
        Error404PlacementTestNotFound: {
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
         *     - `monitor_without_domain`: This monitor looks at an address: only those of domains have reports.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostMonitorWithoutDomain: {
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
         *     - `too_many_erasures`: As many addresses of the account are being erased as may be at once.
         */
        Error409IdempotencyInProgressIdempotencyReplyLostTooManyErasures: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description - `erasure_not_found`: There is no such erasure. */
        Error404ErasureNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description - `export_in_progress`: Another export of the account is still being read. */
        Error409ExportInProgress: {
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
    claimAgent: {
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
                 *       "claim_token": "ms_claim_…"
                 *     }
                 */
                "application/json": components["schemas"]["ClaimAgentRequest"];
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
                    "application/json": components["schemas"]["ClaimedKeyReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequiredLiveKeyRequiredCeilingNotAllowedKeyInGrace"];
            404: components["responses"]["Error404ClaimNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostAlreadyClaimedKeyNotClaimableTooManyKeys"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listKeys: {
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
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21",
                     *           "kind": "test",
                     *           "name": "Shop",
                     *           "last_four": "x7Qd",
                     *           "status": "active",
                     *           "permissions": null,
                     *           "networks": null,
                     *           "ceilings": null,
                     *           "created_by": {
                     *             "type": "key",
                     *             "id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21"
                     *           },
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "expires_at": null,
                     *           "last_used_at": null,
                     *           "revoked_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "cm93IDE"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyPageReply"];
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
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "kind": "test",
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
                     *         "type": "key",
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
            403: components["responses"]["Error403FullAccountRequiredLiveKeyRequiredCeilingNotAllowedKeyInGrace"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostTooManyKeys"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeKey: {
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
            403: components["responses"]["Error403FullAccountRequiredCeilingNotAllowedKeyInGraceKeyLastsLonger"];
            404: components["responses"]["Error404KeyNotFound"];
            409: components["responses"]["Error409LastLiveKey"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeKey: {
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
                 *       "permissions": [
                 *         "verify"
                 *       ],
                 *       "networks": [
                 *         "192.0.2.0/24"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeKeyRequest"] | null;
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
            403: components["responses"]["Error403FullAccountRequiredCeilingNotAllowedKeyInGraceKeyLastsLonger"];
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
    rotateKey: {
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
                     *         "type": "key",
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
            403: components["responses"]["Error403FullAccountRequiredCeilingNotAllowedKeyInGraceKeyLastsLonger"];
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
                     *       "plan": "pro",
                     *       "remaining": 1000,
                     *       "reserved": 0,
                     *       "used_total": 0,
                     *       "free_granted": 0,
                     *       "low": false
                     *     }
                     */
                    "application/json": components["schemas"]["BalanceReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listCreditHistory: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description `csv` and `ndjson` are files of all entries, without pages. */
                format?: "json" | "csv" | "ndjson";
                /** @description Comma list of kinds; all when left out. */
                kind?: string;
                /** @description Only what this key asked for. */
                key_id?: string;
                /** @description Only what is for this batch. */
                batch_id?: number;
                /** @description The first day (UTC). */
                from?: string;
                /** @description The last day (UTC), which is in it. */
                to?: string;
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
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "kind": "grant",
                     *           "amount": 1000,
                     *           "balance_after": 1000,
                     *           "what_for": "test",
                     *           "key_id": null,
                     *           "batch_id": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CreditHistoryReply"];
                    "text/csv": string;
                    "application/x-ndjson": string;
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
    getUsage: {
        parameters: {
            query?: {
                /** @description The first day (UTC); 29 days before `to` unless it is named. */
                from?: string;
                /** @description The last day (UTC), today unless it is named; at most 366 days in all. */
                to?: string;
                by?: "day" | "key" | "verdict" | "reason" | "endpoint";
                format?: "json" | "csv";
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
                    "application/json": components["schemas"]["UsageReply"];
                    "text/csv": string;
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
                     *       "email": "jane+catch-all@example.com",
                     *       "verdict": "risky",
                     *       "confidence": 0.6,
                     *       "checks": {
                     *         "syntax": "pass",
                     *         "mx": "pass",
                     *         "smtp": "pass",
                     *         "catch_all": true,
                     *         "disposable": false,
                     *         "role": false,
                     *         "spam_trap": false,
                     *         "free": false
                     *       },
                     *       "credits_charged": 0,
                     *       "latency_ms": 412,
                     *       "reason": "catch_all",
                     *       "did_you_mean": null,
                     *       "provider": null,
                     *       "mx_host": "mx.simulated.test",
                     *       "normalized_email": "jane+catch-all@example.com",
                     *       "action": "send_with_care",
                     *       "retry_after": null,
                     *       "evidence": {
                     *         "stage": "rcpt",
                     *         "mx_host": "mx.simulated.test",
                     *         "mx_address": "192.0.2.25",
                     *         "reply_code": 250,
                     *         "enhanced_code": "2.1.5",
                     *         "text": "Ok",
                     *         "from_cache": false,
                     *         "witness": null,
                     *         "source": "default"
                     *       },
                     *       "checked_at": "2026-11-21T12:00:00.000Z",
                     *       "request_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21"
                     *     }
                     */
                    "application/json": components["schemas"]["FullVerificationReply"];
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
    getVerificationSettings: {
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
                    "application/json": components["schemas"]["VerificationSettingsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeVerificationSettings: {
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
                 *       "reuse": false
                 *     }
                 */
                "application/json": components["schemas"]["VerificationSettingsRequest"];
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
                    "application/json": components["schemas"]["VerificationSettingsReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listActs: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description `csv` and `ndjson` are files of all entries, without pages. */
                format?: "json" | "csv" | "ndjson";
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
                    "application/json": components["schemas"]["AuditPageReply"];
                    "text/csv": string;
                    "application/x-ndjson": string;
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
                     *       "batches": [
                     *         {
                     *           "id": 150323855360001,
                     *           "status": "completed",
                     *           "name": "Guests",
                     *           "list_id": null,
                     *           "total_emails": 2,
                     *           "unique_emails": 2,
                     *           "processed": 2,
                     *           "progress": 1,
                     *           "counts": {
                     *             "valid": 1,
                     *             "invalid": 1,
                     *             "risky": 0,
                     *             "unknown": 0
                     *           },
                     *           "quote": null,
                     *           "waiting": null,
                     *           "credits_reserved": 0,
                     *           "credits_charged": 0,
                     *           "reused": 0,
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "started_at": "2026-11-21T12:00:00.000Z",
                     *           "completed_at": "2026-11-21T12:00:00.000Z",
                     *           "estimated_completion_at": "2026-11-21T12:00:00.000Z",
                     *           "expires_at": "2026-12-21T12:00:00.000Z",
                     *           "retention_days": 30
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["BatchPageReply"];
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
                "application/json": components["schemas"]["BatchRequest"];
                "text/csv": string;
                "text/plain": string;
                "application/x-ndjson": string;
                "multipart/form-data": {
                    name?: string;
                    /** Format: uri */
                    webhook_url?: string;
                    /** @description The most that the batch may cost. */
                    max_credits?: number;
                    /** @description The CSV's column with the addresses: its name, or its number from 1. */
                    email_column?: string;
                    /**
                     * @description What divides the columns of a CSV; what its first line tells when left out.
                     * @enum {string}
                     */
                    delimiter?: "comma" | "semicolon" | "tab" | "bar";
                    /**
                     * Format: binary
                     * @description CSV, lines or NDJSON; after the other fields.
                     */
                    file: string;
                };
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
                     *       "id": 150323855360001,
                     *       "status": "queued",
                     *       "total_emails": 2,
                     *       "unique_emails": 2,
                     *       "name": "Guests",
                     *       "webhook": null
                     *     }
                     */
                    "application/json": components["schemas"]["BatchTakenReply"];
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
                     *       "id": 150323855360001,
                     *       "status": "completed",
                     *       "name": "Guests",
                     *       "list_id": null,
                     *       "total_emails": 2,
                     *       "unique_emails": 2,
                     *       "processed": 2,
                     *       "progress": 1,
                     *       "counts": {
                     *         "valid": 1,
                     *         "invalid": 1,
                     *         "risky": 0,
                     *         "unknown": 0
                     *       },
                     *       "quote": null,
                     *       "waiting": null,
                     *       "credits_reserved": 0,
                     *       "credits_charged": 0,
                     *       "reused": 0,
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "started_at": "2026-11-21T12:00:00.000Z",
                     *       "completed_at": "2026-11-21T12:00:00.000Z",
                     *       "estimated_completion_at": "2026-11-21T12:00:00.000Z",
                     *       "expires_at": "2026-12-21T12:00:00.000Z",
                     *       "retention_days": 30
                     *     }
                     */
                    "application/json": components["schemas"]["BatchReply"];
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
                    "application/json": components["schemas"]["BatchReply"] | components["schemas"]["BatchDeletedReply"];
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
                    "application/json": components["schemas"]["BatchReply"];
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
                    "application/json": components["schemas"]["BatchReply"];
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
                     *       "id": 150323855360001,
                     *       "status": "completed",
                     *       "total_emails": 2,
                     *       "results": [
                     *         {
                     *           "email": "jane@example.com",
                     *           "verdict": "valid",
                     *           "confidence": 0.98,
                     *           "checks": {
                     *             "syntax": "pass",
                     *             "mx": "pass",
                     *             "smtp": "pass",
                     *             "catch_all": false,
                     *             "disposable": false,
                     *             "role": false,
                     *             "spam_trap": false,
                     *             "free": false
                     *           },
                     *           "credits_charged": 0,
                     *           "latency_ms": 412,
                     *           "reason": "mailbox_exists",
                     *           "did_you_mean": null,
                     *           "provider": null,
                     *           "mx_host": "mx.simulated.test",
                     *           "normalized_email": "jane@example.com",
                     *           "action": "send",
                     *           "retry_after": null,
                     *           "evidence": {
                     *             "stage": "rcpt",
                     *             "mx_host": "mx.simulated.test",
                     *             "mx_address": "192.0.2.25",
                     *             "reply_code": 250,
                     *             "enhanced_code": "2.1.5",
                     *             "text": "Ok",
                     *             "from_cache": false,
                     *             "witness": null,
                     *             "source": "default"
                     *           },
                     *           "checked_at": "2026-11-21T12:00:00.000Z",
                     *           "request_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21"
                     *         }
                     *       ],
                     *       "next_cursor": "cm93IDE"
                     *     }
                     */
                    "application/json": components["schemas"]["ResultsReply"];
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
    getBatchSettings: {
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
                    "application/json": components["schemas"]["BatchSettingsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeBatchSettings: {
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
                 *       "retention_days": 7
                 *     }
                 */
                "application/json": components["schemas"]["BatchSettingsRequest"];
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
                    "application/json": components["schemas"]["BatchSettingsReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
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
                    "application/json": components["schemas"]["BatchSummaryReply"];
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
    getPeopleSummary: {
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
                    "application/json": components["schemas"]["PeopleSummaryReply"];
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
                    "application/json": components["schemas"]["EstimateReply"];
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
    downloadResults: {
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
                /** @description As in the link. */
                expires?: string;
                /** @description As in the link. */
                signature?: string;
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultsReply"] | components["schemas"]["PeopleResultsReply"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            404: components["responses"]["Error404NotFound"];
            422: components["responses"]["Error422InvalidInput"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPeopleBatches: {
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
                    "application/json": components["schemas"]["PeopleBatchPageReply"];
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
    submitPeople: {
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
                /** @description The column of a CSV that holds the whole names: its name, or its number from 1. */
                full_name_column?: string;
                /** @description The column of a CSV that holds the first names: its name, or its number from 1. */
                first_name_column?: string;
                /** @description The column of a CSV that holds the last names: its name, or its number from 1. */
                last_name_column?: string;
                /** @description The column of a CSV that holds the domains: its name, or its number from 1. */
                domain_column?: string;
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
                 *       "people": [
                 *         {
                 *           "full_name": "Jane Doe",
                 *           "domain": "example.com"
                 *         }
                 *       ],
                 *       "name": "Guests"
                 *     }
                 */
                "application/json": components["schemas"]["PeopleBatchRequest"];
                "text/csv": string;
                "application/x-ndjson": string;
                "multipart/form-data": {
                    name?: string;
                    /** Format: uri */
                    webhook_url?: string;
                    /** @description The most that the batch may cost. */
                    max_credits?: number;
                    /** @description The CSV's column with the full names: its name, or its number from 1. */
                    full_name_column?: string;
                    /** @description The CSV's column with the first names: its name, or its number from 1. */
                    first_name_column?: string;
                    /** @description The CSV's column with the last names: its name, or its number from 1. */
                    last_name_column?: string;
                    /** @description The CSV's column with the domains: its name, or its number from 1. */
                    domain_column?: string;
                    /**
                     * @description What divides the columns of a CSV; what its first line tells when left out.
                     * @enum {string}
                     */
                    delimiter?: "comma" | "semicolon" | "tab" | "bar";
                    /**
                     * Format: binary
                     * @description CSV, NDJSON or JSON; after the other fields.
                     */
                    file: string;
                };
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
                    "application/json": components["schemas"]["PeopleBatchTakenReply"];
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
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPeopleBatch: {
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
                    "application/json": components["schemas"]["PeopleBatchReply"];
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
    removePeopleBatch: {
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
                    "application/json": components["schemas"]["PeopleBatchReply"] | components["schemas"]["BatchDeletedReply"];
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
    keepPeopleBatch: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleBatchReply"];
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
    startPeopleBatch: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleBatchReply"];
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
    getPeopleResults: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleResultsReply"];
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
    listSchedules: {
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
                    "application/json": components["schemas"]["SchedulesReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listLists: {
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
                    /**
                     * @example {
                     *       "lists": [
                     *         {
                     *           "id": 150323855360001,
                     *           "name": "Guests",
                     *           "batch_id": 150323855360001,
                     *           "total_emails": 2,
                     *           "counts": {
                     *             "valid": 1,
                     *             "invalid": 1,
                     *             "risky": 0,
                     *             "unknown": 0
                     *           },
                     *           "created_at": "2026-11-21T12:00:00.000Z",
                     *           "expires_at": "2026-12-21T12:00:00.000Z",
                     *           "verified_at": "2026-11-21T12:00:00.000Z",
                     *           "download_url": "https://mailsonde.example/api/v1/lists/150323855360001/download"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListPageReply"];
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
    getList: {
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
            };
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
                    /**
                     * @example {
                     *       "id": 150323855360001,
                     *       "name": "Guests",
                     *       "batch_id": 150323855360001,
                     *       "total_emails": 2,
                     *       "counts": {
                     *         "valid": 1,
                     *         "invalid": 1,
                     *         "risky": 0,
                     *         "unknown": 0
                     *       },
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "expires_at": "2026-12-21T12:00:00.000Z",
                     *       "verified_at": "2026-11-21T12:00:00.000Z",
                     *       "download_url": "https://mailsonde.example/api/v1/lists/150323855360001/download",
                     *       "results": [
                     *         {
                     *           "email": "jane@example.com",
                     *           "verdict": "valid",
                     *           "confidence": 0.98,
                     *           "checks": {
                     *             "syntax": "pass",
                     *             "mx": "pass",
                     *             "smtp": "pass",
                     *             "catch_all": false,
                     *             "disposable": false,
                     *             "role": false,
                     *             "spam_trap": false,
                     *             "free": false
                     *           },
                     *           "credits_charged": 0,
                     *           "latency_ms": 412,
                     *           "reason": "mailbox_exists",
                     *           "did_you_mean": null,
                     *           "provider": null,
                     *           "mx_host": "mx.simulated.test",
                     *           "normalized_email": "jane@example.com",
                     *           "action": "send",
                     *           "retry_after": null,
                     *           "evidence": {
                     *             "stage": "rcpt",
                     *             "mx_host": "mx.simulated.test",
                     *             "mx_address": "192.0.2.25",
                     *             "reply_code": 250,
                     *             "enhanced_code": "2.1.5",
                     *             "text": "Ok",
                     *             "from_cache": false,
                     *             "witness": null,
                     *             "source": "default"
                     *           },
                     *           "checked_at": "2026-11-21T12:00:00.000Z",
                     *           "request_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21"
                     *         }
                     *       ],
                     *       "next_cursor": "cm93IDE"
                     *     }
                     */
                    "application/json": components["schemas"]["ListWithRowsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404ListNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteList: {
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
            /** @description Deleted. */
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
            403: components["responses"]["Error403FullAccountRequiredCeilingNotAllowedKeyLastsLonger"];
            404: components["responses"]["Error404ListNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    renameList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Wedding"
                 *     }
                 */
                "application/json": components["schemas"]["RenameListRequest"] | null;
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
                     *       "id": 150323855360001,
                     *       "name": "Wedding",
                     *       "batch_id": 150323855360001,
                     *       "total_emails": 2,
                     *       "counts": {
                     *         "valid": 1,
                     *         "invalid": 1,
                     *         "risky": 0,
                     *         "unknown": 0
                     *       },
                     *       "created_at": "2026-11-21T12:00:00.000Z",
                     *       "expires_at": "2026-12-21T12:00:00.000Z",
                     *       "verified_at": "2026-11-21T12:00:00.000Z",
                     *       "download_url": "https://mailsonde.example/api/v1/lists/150323855360001/download"
                     *     }
                     */
                    "application/json": components["schemas"]["ListReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404ListNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    downloadList: {
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
            };
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
                    "application/json": components["schemas"]["ResultsReply"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404ListNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getListSchedule: {
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
                    "application/json": components["schemas"]["ListScheduleReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404ScheduleNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    scheduleList: {
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
                 *       "every_days": 7
                 *     }
                 */
                "application/json": components["schemas"]["ListScheduleRequest"];
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
                    "application/json": components["schemas"]["ListScheduleReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequiredCeilingNotAllowedKeyLastsLonger"];
            404: components["responses"]["Error404ListNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409TooManySchedules"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    unscheduleList: {
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
            /** @description No further run begins. */
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
            403: components["responses"]["Error403FullAccountRequiredCeilingNotAllowedKeyLastsLonger"];
            404: components["responses"]["Error404ScheduleNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
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
                    "application/json": components["schemas"]["ListChangesReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404ListNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
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
                    "application/json": components["schemas"]["WebhookPageReply"];
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
    createWebhook: {
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
                 *       "url": "https://example.com/mailsonde",
                 *       "events": [
                 *         "batch.completed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
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
                    "application/json": components["schemas"]["SecretWebhookReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostEndpointExistsTooManyEndpoints"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhook: {
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
                    "application/json": components["schemas"]["WebhookReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404WebhookNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
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
            404: components["responses"]["Error404WebhookNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeWebhook: {
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
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWebhookRequest"] | null;
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
                    "application/json": components["schemas"]["WebhookReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404WebhookNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409EndpointExists"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateWebhookSecret: {
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
                    "application/json": components["schemas"]["SecretWebhookReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404WebhookNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testWebhook: {
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
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404WebhookNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostEndpointDisabled"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    sampleWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                event: "batch.completed" | "batch.failed" | "batch.cancelled" | "list.changed" | "verification.corrected" | "credits.low" | "monitor.changed" | "monitor.stalled" | "blacklist.listed" | "blacklist.delisted" | "placement.completed" | "placement.expired" | "dmarc.source_appeared" | "webhook.test";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404WebhookNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostEndpointDisabled"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                status?: "pending" | "succeeded" | "failed";
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
                    "application/json": components["schemas"]["DeliveryPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404WebhookNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    redeliverRange: {
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
                 *       "since": "2027-01-31T12:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["RedeliverRequest"] | null;
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveredReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404WebhookNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostEndpointDisabled"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDelivery: {
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
                    "application/json": components["schemas"]["DeliveryReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404DeliveryNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    redeliver: {
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
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404DeliveryNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostEndpointDisabled"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    findEmail: {
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
                 *       "full_name": "Jane Doe",
                 *       "domain": "example.com"
                 *     }
                 */
                "application/json": components["schemas"]["FindEmailRequest"];
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
                     *       "email": "jane.doe@example.com",
                     *       "verdict": "valid",
                     *       "confidence": 0.96,
                     *       "pattern": "{first}.{last}",
                     *       "candidates_tried": 1,
                     *       "alternatives": [],
                     *       "checks": {
                     *         "syntax": "pass",
                     *         "mx": "pass",
                     *         "smtp": "pass",
                     *         "catch_all": false,
                     *         "disposable": false,
                     *         "role": false,
                     *         "spam_trap": false,
                     *         "free": false
                     *       },
                     *       "credits_charged": 0,
                     *       "latency_ms": 412,
                     *       "reason": "mailbox_exists",
                     *       "domain": "example.com",
                     *       "provider": null,
                     *       "mx_host": "mx.simulated.test",
                     *       "retry_after": null,
                     *       "evidence": {
                     *         "tried": [
                     *           {
                     *             "email": "jane.doe@example.com",
                     *             "pattern": "{first}.{last}",
                     *             "verdict": "valid",
                     *             "reason": "mailbox_exists",
                     *             "stage": "rcpt",
                     *             "mx_host": "mx.simulated.test",
                     *             "mx_address": "192.0.2.25",
                     *             "reply_code": 250,
                     *             "enhanced_code": "2.1.5",
                     *             "text": "Ok",
                     *             "from_cache": false,
                     *             "witness": null,
                     *             "source": "default"
                     *           }
                     *         ],
                     *         "known_addresses": 0,
                     *         "known_of_pattern": 0
                     *       },
                     *       "request_id": "6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21"
                     *     }
                     */
                    "application/json": components["schemas"]["FindingReply"];
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
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReusedPublicMailDomain"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSuppressions: {
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
            403: components["responses"]["Error403FullAccountRequired"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    suppress: {
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
    getSuppression: {
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
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404SuppressionNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    unsuppress: {
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
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404SuppressionNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSuppressionSettings: {
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
                    "application/json": components["schemas"]["SuppressionSettingsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeSuppressionSettings: {
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
                 *       "report_in_verify": true
                 *     }
                 */
                "application/json": components["schemas"]["SuppressionSettingsRequest"];
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
                    "application/json": components["schemas"]["SuppressionSettingsReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listBlacklists: {
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
                    "application/json": components["schemas"]["BlacklistsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkBlacklists: {
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
                 *       "targets": [
                 *         "example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BlacklistCheckRequest"];
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
                    "application/json": components["schemas"]["BlacklistCheckReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402CreditsInsufficientCeilingReachedKeyCeilingReached"];
            403: components["responses"]["Error403FullAccountRequiredPlanLimitReached"];
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
    listBlacklistChecks: {
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
                    "application/json": components["schemas"]["BlacklistCheckPageReply"];
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
    getBlacklistCheck: {
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
                    "application/json": components["schemas"]["BlacklistCheckReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404CheckNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkDomain: {
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
                 *       "domain": "example.com",
                 *       "dkim_selectors": [
                 *         "s1"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DomainCheckRequest"];
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
                    "application/json": components["schemas"]["DomainCheckReply"];
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
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDomainChecks: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only checks of this domain. */
                domain?: string;
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
                    "application/json": components["schemas"]["DomainCheckPageReply"];
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
    getDomainCheck: {
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
                    "application/json": components["schemas"]["DomainCheckReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404CheckNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMonitors: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                state?: "pending" | "ok" | "warning" | "critical" | "unknown" | "paused";
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
                    "application/json": components["schemas"]["MonitorPageReply"];
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
    createMonitor: {
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
                 *       "target": "example.com",
                 *       "dkim_selectors": [
                 *         "s1"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateMonitorRequest"];
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
                    "application/json": components["schemas"]["MonitorReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequiredPlanLimitReached"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostMonitorExists"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMonitor: {
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
                    "application/json": components["schemas"]["MonitorReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteMonitor: {
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
            /** @description Deleted. */
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
            404: components["responses"]["Error404MonitorNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeMonitor: {
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
                 *       "alert_from": "critical"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeMonitorRequest"];
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
                    "application/json": components["schemas"]["MonitorReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequiredPlanLimitReached"];
            404: components["responses"]["Error404MonitorNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409MonitorPausedByOperator"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    runMonitor: {
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
                    "application/json": components["schemas"]["MonitorRunWithResultReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402CreditsInsufficientKeyCeilingReached"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostMonitorPausedMonitorBusy"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMonitorRuns: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
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
                    "application/json": components["schemas"]["MonitorRunPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMonitorRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                run_id: number;
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
                    "application/json": components["schemas"]["MonitorRunWithResultReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFoundRunNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    diffMonitorRuns: {
        parameters: {
            query: {
                /** @description The id of a run. */
                from: string;
                /** @description The id of a run. */
                to: string;
            };
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
                    "application/json": components["schemas"]["MonitorDiffReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFoundRunNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMonitorFindings: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                state?: "suspected" | "open" | "clearing" | "resolved";
            };
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
                    "application/json": components["schemas"]["MonitorFindingPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMonitorEvents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
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
                    "application/json": components["schemas"]["MonitorEventPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    muteMonitorList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                /** @description As `GET /api/v1/blacklists` names it. */
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "muted_until": "2027-01-31T12:00:00Z",
                 *       "note": "We have asked to be removed"
                 *     }
                 */
                "application/json": components["schemas"]["MuteRequest"];
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
                    "application/json": components["schemas"]["MonitorReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFoundBlacklistNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeMonitorFinding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                finding_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "muted_until": "2027-01-31T12:00:00Z",
                 *       "note": "We move on Sunday"
                 *     }
                 */
                "application/json": components["schemas"]["MuteRequest"];
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
                    "application/json": components["schemas"]["MonitorFindingReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFoundFindingNotFound"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPlacementSeeds: {
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
                    "application/json": components["schemas"]["UsableSeedsReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    analyzeMessage: {
        parameters: {
            query?: {
                /** @description The IP address from which it was sent, for SPF and block lists. */
                client_address?: string;
                /** @description What the client called itself in HELO or EHLO. */
                helo?: string;
                /** @description The address of MAIL FROM; without one that of Return-Path is not used either. */
                mail_from?: string;
                /** @description When the work may cost more, it is refused with 402 `ceiling_reached` before anything is done. */
                max_credits?: number;
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
                "message/rfc822": string;
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
                    "application/json": components["schemas"]["AnalysisReply"];
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
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPlacementTests: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only tests in this state. */
                status?: "waiting" | "receiving" | "completed" | "expired" | "cancelled";
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
                    "application/json": components["schemas"]["PlacementTestPageReply"];
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
    createPlacementTest: {
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
                 *       "name": "March campaign"
                 *     }
                 */
                "application/json": components["schemas"]["PlacementTestRequest"];
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
                    "application/json": components["schemas"]["PlacementTestReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402CreditsInsufficientCeilingReachedKeyCeilingReached"];
            403: components["responses"]["Error403FullAccountRequiredPlanLimitReached"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLost"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503PlacementUnavailable"];
        };
    };
    getPlacementTest: {
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
                    "application/json": components["schemas"]["PlacementTestReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404PlacementTestNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deletePlacementTest: {
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
            404: components["responses"]["Error404PlacementTestNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlacementMessage: {
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
                    "message/rfc822": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404PlacementTestNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    comparePlacementTests: {
        parameters: {
            query: {
                /** @description The test that it is compared with. */
                to: number;
            };
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
                    "application/json": components["schemas"]["PlacementDiffReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404PlacementTestNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    verifyMonitorOwnership: {
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
                    "application/json": components["schemas"]["OwnershipReply"];
                };
            };
            400: components["responses"]["Error400MalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostMonitorWithoutDomain"];
            422: components["responses"]["Error422IdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDmarcReports: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
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
                    "application/json": components["schemas"]["DmarcReportPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDmarcSources: {
        parameters: {
            query?: {
                /** @description The first day (UTC) on which a period of a report begins; 29 days before `to` unless it is named. */
                from?: string;
                /** @description The last day (UTC), included; today unless it is named. */
                to?: string;
                limit?: number;
            };
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
                    "application/json": components["schemas"]["ReportedSourcesReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listTlsReports: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
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
                    "application/json": components["schemas"]["TlsReportPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listTlsFailures: {
        parameters: {
            query?: {
                /** @description The first day (UTC) on which a period of a report begins; 29 days before `to` unless it is named. */
                from?: string;
                /** @description The last day (UTC), included; today unless it is named. */
                to?: string;
                limit?: number;
            };
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
                    "application/json": components["schemas"]["TlsFailuresReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listUnreadableReports: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
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
                    "application/json": components["schemas"]["UnreadableReportPageReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404MonitorNotFound"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listErasures: {
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
                    "application/json": components["schemas"]["ErasurePageReply"];
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
    eraseAddress: {
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
                 *       "suppress": true
                 *     }
                 */
                "application/json": components["schemas"]["EraseRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReply"];
                };
            };
            400: components["responses"]["Error400MalformedJsonMalformedHeader"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            408: components["responses"]["Error408RequestTimeout"];
            409: components["responses"]["Error409IdempotencyInProgressIdempotencyReplyLostTooManyErasures"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInputIdempotencyKeyReused"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getErasure: {
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
                    "application/json": components["schemas"]["ErasureReply"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            404: components["responses"]["Error404ErasureNotFound"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A line a thing, each with its `type`; the last one is of type `end`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403FullAccountRequired"];
            409: components["responses"]["Error409ExportInProgress"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    tryEmail: {
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
                 *       "email": "jane+full@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["TryRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullVerificationReply"];
                };
            };
            400: components["responses"]["Error400MalformedJson"];
            408: components["responses"]["Error408RequestTimeout"];
            413: components["responses"]["Error413BodyTooLarge"];
            415: components["responses"]["Error415UnsupportedMediaType"];
            422: components["responses"]["Error422InvalidInput"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
