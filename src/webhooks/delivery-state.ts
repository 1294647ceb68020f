export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
