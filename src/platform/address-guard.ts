/** The one table of addresses that are not public: mail hosts and webhooks are held against the same. */
export { type AddressGuard, createAddressGuard } from '../engine/dns/public-address.js';
