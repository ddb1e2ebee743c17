export * from './pixels';
export * from './transforms';
