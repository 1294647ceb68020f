export type KeyKind = 'agent' | 'live' | 'test' | 'admin';
