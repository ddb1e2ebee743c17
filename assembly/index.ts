export * from './pixels';
export * from './transforms';
export * from './pyramid';
export * from './search';
